import { Command, Option } from 'commander';
import { type ClaimFlags, logWidth, readClaimFlags, withClaimFlags } from '../claim-flags.ts';
import { renderClaims } from '../render/render-claims.ts';
import { type Explanation, explainWorld } from './explain-world.ts';
import { printExplanation } from './print-explanation.ts';

interface ExplainFlags extends ClaimFlags {
  readonly output: 'text' | 'json';
}

const examples = `
Examples:
  modelberth explain -f examples/hello
  modelberth explain -f examples/hello --observed live/ --required nodes.yaml --now 2026-12-01T10:04:00Z
  modelberth explain -f examples/hello -o json

Exit codes: 0 done, 1 a claim is refused, something it names is missing, or eight rounds did not settle it,
2 bad usage or unreadable input`;

/** `modelberth explain`: why each claim comes to what it comes to, over the real functions, without a cluster. */
export function explainCommand(write: (text: string) => void, setExitCode: (code: number) => void): Command {
  return withClaimFlags(new Command('explain'))
    .description('Say why this shape and not the others, what fills the memory, the price, and what limits a stream')
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (flags: ExplainFlags) => {
      const files = readClaimFlags(flags);
      const { now } = files;
      const result = await renderClaims(files);
      const explanation = explainWorld(result, now);
      write(print(flags.output, explanation));
      setExitCode(explanation.refused || !explanation.settled ? 1 : 0);
    });
}

function print(format: ExplainFlags['output'], explanation: Explanation): string {
  if (format === 'json') return `${JSON.stringify(explanation, null, 2)}\n`;
  return printExplanation(explanation, process.stdout.columns ?? logWidth);
}
