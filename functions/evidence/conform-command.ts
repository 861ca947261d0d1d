import { writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { type Protocol, protocols } from '../../domain/evidence/ask.ts';
import type { CaseResult } from '../../domain/evidence/case-result.ts';
import { builtInCases, type CaseName, caseNames } from '../../domain/evidence/cases/built-in-cases.ts';
import { exitCodeOf } from '../../domain/evidence/exit-code.ts';
import { figuresOf } from '../../domain/evidence/figures.ts';
import { planCases } from '../../domain/evidence/plan-cases.ts';
import { askEndpoint, type Endpoint } from './ask-endpoint.ts';
import { runCases } from './run-cases.ts';

interface ConformFlags {
  readonly url: string;
  readonly model: string;
  readonly protocol: readonly string[];
  readonly case: readonly string[];
  readonly tries: string;
  readonly leastPassShare: string;
  readonly context: string;
  readonly mostOutput: string;
  readonly parallel: string;
  readonly patience: string;
  readonly termination: string;
}

/** The endpoint was never reached: nothing is said of it, and the Job tries again (`EX_TEMPFAIL` of sysexits.h). */
const unreachable = 75;
const idleSeconds = 120;

/**
 * The command of an evidence Job: tries an engine and ends with the exit code of the first case that fails. It is in the
 * image of the functions and in no help of theirs.
 */
export function conformCommand(setExitCode: (code: number) => void, log: (line: string) => void): Command {
  return new Command('conform')
    .requiredOption('--url <url>', 'address of the engine')
    .requiredOption('--model <name>', 'model as the engine names it')
    .addOption(repeated('--protocol <api>', protocols))
    .addOption(repeated('--case <name>', caseNames))
    .requiredOption('--tries <n>', 'tries of each short case')
    .requiredOption('--least-pass-share <share>', 'share of the tries that must pass')
    .requiredOption('--context <tokens>', 'longest context')
    .requiredOption('--most-output <tokens>', 'most output tokens of one answer')
    .option('--parallel <n>', 'tries at once', '4')
    .option('--patience <seconds>', 'seconds in which the engine must be reached', '120')
    .option('--termination <file>', 'where the figures are left', '/dev/termination-log')
    .action(async (flags: ConformFlags) => setExitCode(await conform(flags, log)));
}

function repeated(flags: string, choices: readonly string[]): Option {
  const collect = (value: string, earlier: readonly string[]) => [...earlier, value];
  return new Option(flags, `any of ${choices.join(', ')}`).argParser(collect).default([]);
}

async function conform(flags: ConformFlags, log: (line: string) => void): Promise<number> {
  const endpoint = { url: flags.url, model: flags.model, idleSeconds };
  const spoken = await findSpoken(endpoint, flags);
  if (spoken === undefined) {
    log(`Cannot reach ${flags.url} within ${flags.patience} s`);
    return unreachable;
  }
  const names = caseNames.filter((name) => flags.case.includes(name));
  const { planned, leftOut } = planCases({
    cases: names.map((name) => builtInCases[name]),
    protocols: spoken,
    tries: Number(flags.tries),
    leastPassShare: Number(flags.leastPassShare),
    outputTokens: Number(flags.mostOutput),
  });
  for (const { name, why } of leftOut) log(`${name} is not tried: it ${why}`);
  const results = await runCases({
    ask: (protocol, ask) => askEndpoint(endpoint, protocol, ask),
    planned,
    contextTokens: Number(flags.context),
    outputTokens: Number(flags.mostOutput),
    concurrency: Number(flags.parallel),
    endsEarly: true,
    seed: 0,
    onTry: () => {},
  });
  for (const result of results) log(JSON.stringify(withoutTimes(result)));
  writeFileSync(flags.termination, JSON.stringify(figuresOf(results)));
  return verdictOf(results);
}

function withoutTimes({ firstPartMillis: _first, tokensPerSecond: _speed, ...result }: CaseResult) {
  return result;
}

function verdictOf(results: readonly CaseResult[]): number {
  const failing = results.find(({ verdict }) => verdict === 'Failed');
  return failing === undefined ? 0 : exitCodeOf(failing.name as CaseName);
}

/** The protocols that the engine answers in: an older build may lack one. Undefined where nothing is reached. */
async function findSpoken(endpoint: Endpoint, flags: ConformFlags): Promise<readonly Protocol[] | undefined> {
  const asked = protocols.filter((protocol) => flags.protocol.includes(protocol));
  const spoken: Protocol[] = [];
  for (const protocol of asked) {
    const state = await reach(endpoint, protocol, Number(flags.patience));
    if (state === 'Unreachable') return undefined;
    if (state === 'Spoken') spoken.push(protocol);
  }
  return spoken;
}

/** Endpoints of a headless Service reach the resolver of a node some seconds after the pod is ready. */
async function reach(
  endpoint: Endpoint,
  protocol: Protocol,
  patience: number,
): Promise<'Spoken' | 'Absent' | 'Unreachable'> {
  const started = performance.now();
  for (;;) {
    const { fault } = await askEndpoint(endpoint, protocol, { prompt: 'Answer with OK.', mostTokens: 16 });
    if (fault?.reason === 'HttpError' && /^HTTP 40[45]:/.test(fault.words) && protocol !== 'OpenAI') return 'Absent';
    if (fault?.reason !== 'Unreachable') return 'Spoken';
    if (performance.now() - started > patience * 1000) return 'Unreachable';
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
