import { Command, Option } from 'commander';
import { readNow } from '../read-now.ts';
import { renderClaims } from '../render/render-claims.ts';
import { type Explanation, explainWorld } from './explain-world.ts';
import { printExplanation } from './print-explanation.ts';

interface ExplainFlags {
  readonly filename: string;
  readonly observed?: string;
  readonly required?: string;
  readonly output: 'text' | 'json';
  readonly now?: string;
}

const examples = `
Examples:
  modelberth explain -f examples/hello
  modelberth explain -f examples/hello --observed live/ --required nodes.yaml --now 2026-12-01T10:04:00Z
  modelberth explain -f examples/hello -o json

Exit codes: 0 done, 1 a claim is refused or something it names is missing, 2 bad usage or unreadable input`;

/** Width of the text where standard output is no terminal. */
const logWidth = 100;

/** `modelberth explain`: why each claim comes to what it comes to, over the real functions, without a cluster. */
export function explainCommand(write: (text: string) => void, setExitCode: (code: number) => void): Command {
  return new Command('explain')
    .description('Say why this shape and not the others, what fills the memory, the price, and what limits a stream')
    .requiredOption('-f, --filename <path>', 'file or folder with the claims and the platform objects that they name')
    .option('--observed <path>', 'composed resources as observed, each with its key and its owner')
    .option('--required <path>', 'other objects that exist, e.g. Nodes, Pods and EndpointSlices')
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json']).default('text'))
    .option('--now <time>', 'the time to explain for (RFC 3339); default: now')
    .addHelpText('after', examples)
    .action(async (flags: ExplainFlags) => {
      const now = readNow(flags.now);
      const { filename: file, observed, required } = flags;
      const result = await renderClaims({
        file,
        now,
        ...(observed === undefined ? {} : { observed }),
        ...(required === undefined ? {} : { required }),
      });
      const explanation = explainWorld(result, now);
      write(print(flags.output, explanation));
      setExitCode(explanation.refused || !explanation.settled ? 1 : 0);
    });
}

function print(format: ExplainFlags['output'], explanation: Explanation): string {
  if (format === 'json') return `${JSON.stringify(explanation, null, 2)}\n`;
  return printExplanation(explanation, process.stdout.columns ?? logWidth);
}
