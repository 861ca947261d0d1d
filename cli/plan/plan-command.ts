import { Command, Option } from 'commander';
import { logWidth } from '../claim-flags.ts';
import { readNow } from '../read-now.ts';
import { kubectlFor, liveKinds } from './live-kinds.ts';
import { planFiles } from './plan-change.ts';
import { printPlan } from './print-plan.ts';

interface PlanFlags {
  readonly filename: string;
  readonly live?: string;
  readonly now?: string;
  readonly output: 'table' | 'json';
}

const examples = `
A live state needs these kinds, as far as the cluster has them; what is missing and was seen before is refused:
  ${kubectlFor(Object.keys(liveKinds)).replaceAll(',', ',\n    ')}

Examples:
  modelberth plan -f examples/poc-2
  modelberth plan -f examples/poc-2 --live live/
  kubectl get -A -o yaml ... | modelberth plan -f examples/poc-2 --live - -o json

Exit codes: 0 planned, 1 a claim is refused, or the change does not come to an end,
2 bad usage or unreadable input`;

/** `modelberth plan`: what a change would do before it is done. */
export function planCommand(write: (text: string) => void, setExitCode: (code: number) => void): Command {
  return new Command('plan')
    .description('Say what applying claims would create, change, restart, delete and cost, before it is done')
    .requiredOption('-f, --filename <path>', 'file or folder with the claims as they are to be')
    .option('--live <path>', 'folder or file with what exists, or - for standard input; default: nothing exists')
    .option('--now <time>', 'the time to decide at (RFC 3339); default: now')
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['table', 'json']).default('table'))
    .addHelpText('after', examples)
    .action(async ({ filename, live, now, output }: PlanFlags) => {
      const plan = await planFiles({ file: filename, now: readNow(now), ...(live === undefined ? {} : { live }) });
      const table = () => printPlan(plan, process.stdout.columns ?? logWidth);
      write(output === 'json' ? `${JSON.stringify(plan, null, 2)}\n` : table());
      setExitCode(plan.problems.length > 0 ? 1 : 0);
    });
}
