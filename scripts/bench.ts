/**
 * `npm run bench`: RunFunction of each function beside an echo of the SDK's service and bare bytes. Goals are printed and not
 * enforced: the machine may be shared, and a gate that fails by chance is soon switched off.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { formatJson, formatTable } from './bench-report.ts';
import { runBench } from './bench-run.ts';

interface BenchFlags {
  readonly output: 'table' | 'json';
  readonly seconds: number;
}

const examples = `
Examples:
  npm run bench
  npm run -s bench -- -o json --seconds 120`;

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0)) throw new InvalidArgumentError('Want a number of seconds above 0.');
  return seconds;
}

const command = new Command('bench')
  .description('Measure RunFunction of each function beside an echo of the SDK, and print the goals that are met')
  .addOption(
    new Option('-o, --output <format>', 'what to print on standard output').choices(['table', 'json']).default('table'),
  )
  .addOption(new Option('--seconds <seconds>', 'how long the whole may take').default(150).argParser(readSeconds))
  .addHelpText('after', examples)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(async ({ output, seconds }: BenchFlags) => {
    const result = await runBench({ seconds, say: (progress) => console.error(progress) });
    console.log(output === 'json' ? formatJson(result) : formatTable(result));
  });

await command.parseAsync();
