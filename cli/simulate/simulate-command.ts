import { Command, InvalidArgumentError, Option } from 'commander';
import { policies } from './policies/policies.ts';
import type { Policy } from './policies/policy.ts';
import { printPage } from './print-page.ts';
import { printReport } from './print-report.ts';
import { readScenario } from './read-scenario.ts';
import { formatJson, makeReport, type Report } from './report.ts';
import { runSimulation } from './run-simulation.ts';
import { createWorldMaker } from './worlds/make-world.ts';

interface SimulateFlags {
  readonly filename: string;
  readonly policy: 'ours' | 'all';
  readonly seeds: number;
  readonly firstSeed?: number;
  readonly output: 'table' | 'json' | 'html';
}

const examples = `
Examples:
  modelberth simulate -f test/simulate/seed-2.yaml --policy all
  modelberth simulate -f test/simulate/drawn.yaml --policy all --seeds 50 -o json
  modelberth simulate -f test/simulate/drawn.yaml --policy all --seeds 50 -o html > capacity.html

Exit codes: 0 done, 1 ours lost an instance or went above the budget, 2 bad usage or unreadable input`;

/** Seconds between two lines of progress. */
const progressSeconds = 5;

/** What the command does with its words. */
export interface SimulateOutput {
  readonly write: (text: string) => void;
  /** Progress, which is no part of the answer. */
  readonly say: (line: string) => void;
  readonly setExitCode: (code: number) => void;
}

/** `modelberth simulate`: what the ladder comes to in clouds that refuse, beside simpler policies. */
export function simulateCommand({ write, say, setExitCode }: SimulateOutput): Command {
  return new Command('simulate')
    .description('Play claims against clouds that refuse, through the real functions, beside simpler policies')
    .requiredOption('-f, --filename <path>', 'the scenario')
    .addOption(new Option('--policy <which>', 'whose policy').choices(['ours', 'all']).default('ours'))
    .option('--seeds <number>', 'how many worlds are drawn; a scenario that draws none is played once', readWhole, 20)
    .option('--first-seed <number>', 'seed of the first world; unset: as the scenario says', readWhole)
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['table', 'json', 'html']).default('table'))
    .addHelpText('after', examples)
    .action(async (flags: SimulateFlags) => {
      const report = await simulate(flags, say);
      write({ table: printReport, json: formatJson, html: printPage }[flags.output](report));
      const ours = report.figures.find(({ policy }) => policy === 'ours');
      setExitCode(ours !== undefined && ours.instancesLost + ours.budgetBreaches > 0 ? 1 : 0);
    });
}

/** A simulation as the flags ask for it. Throws `UnreadableInput`. */
async function simulate(
  { filename, policy, seeds, firstSeed }: SimulateFlags,
  say: (line: string) => void,
): Promise<Report> {
  const read = readScenario(filename);
  const maker = createWorldMaker(read);
  const first = firstSeed ?? maker.firstSeed;
  const outcomes = await runSimulation({
    maker,
    policies: policy === 'all' ? policies : policies.slice(0, 1),
    firstSeed: first,
    seeds: maker.isDrawn ? seeds : 1,
    onWorld: sayProgress(say),
  });
  const { description, horizonMinutes } = read.scenario;
  return makeReport({ outcomes, description, firstSeed: first, horizonMinutes });
}

/** Says every few seconds how far it is; nothing of a short run. */
function sayProgress(say: (line: string) => void): (played: number, all: number, policy: Policy) => void {
  let saidAt = performance.now();
  return (played, all, policy) => {
    if (performance.now() - saidAt < progressSeconds * 1000) return;
    saidAt = performance.now();
    say(`${played} of ${all} worlds played (${policy.name})`);
  };
}

function readWhole(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 1_000_000_000)
    throw new InvalidArgumentError('Want a whole number from 1.');
  return number;
}
