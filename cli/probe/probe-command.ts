import { Command, Option } from 'commander';
import { caseNames } from '../../domain/evidence/cases/built-in-cases.ts';
import { defaultLeastPassShare } from '../../domain/evidence/odds.ts';
import { printProbe } from './print-probe.ts';
import { printProbePage } from './print-probe-page.ts';
import { type ProbeFlags, readProbe } from './probe-flags.ts';
import { type ProbeAnswer, runProbe } from './run-probe.ts';

const examples = `
Examples:
  modelberth probe http://127.0.0.1:8000 --model chat/llama
  modelberth probe https://models.example.com --model chat/llama --against https://api.openai.com --model gpt-5 --tries 50
  modelberth probe https://models.example.com/anthropic --model chat/llama --protocol anthropic --case ToolCall
  modelberth probe https://models.example.com --model chat/llama --users 15 --concurrency 4 -o html > probe.html
Keys: MODELBERTH_API_KEY and MODELBERTH_AGAINST_API_KEY, or files; no key is ever printed
Cases: ${caseNames.join(', ')}
Exit codes: 0 it passes, or is not worse than the second, 1 it fails a case, or is worse, 2 bad usage`;

const protocolChoices = ['openai', 'anthropic', 'both'];
/** Columns of a text that goes to no terminal. */
const plainWidth = 100;

/** `modelberth probe`: tries an endpoint with the cases of the conformance check, beside another one. */
export function probeCommand(write: (text: string) => void, setExitCode: (code: number) => void): Command {
  return new Command('probe')
    .description('Try an engine or any endpoint with the cases of the conformance check, beside another one')
    .argument('<url>', 'address of the endpoint, with or without /v1')
    .option('--model <name>', 'model as the endpoint names it; given again, that of --against', collect, [])
    .option('--against <url>', 'a second endpoint to compare with, e.g. another engine or a hosted reference')
    .addOption(new Option('--protocol <api>', 'API of the endpoint').choices(protocolChoices).default('openai'))
    .addOption(new Option('--against-protocol <api>', 'API of the second; default: the same').choices(protocolChoices))
    .option('--key-file <file>', 'file with the key of the endpoint, in place of MODELBERTH_API_KEY')
    .option('--against-key-file <file>', 'file with the key of the second, in place of MODELBERTH_AGAINST_API_KEY')
    .option('--case <name>', 'only this case; may be given again', collect, [])
    .option('--tries <n>', 'tries of each short case; a long one gets a tenth, at least 3', '20')
    .option('--least-pass-share <share>', 'share of the tries that must pass, 0 to 1', String(defaultLeastPassShare))
    .option('--context <tokens>', 'longest context of the endpoint', '8192')
    .option('--most-output <tokens>', 'most output tokens of one answer', '4096')
    .option('--parallel <n>', 'tries at once', '4')
    .option('--timeout <seconds>', 'seconds without a byte after which an answer has stopped', '60')
    .option('--users <n>', 'also measure under the load of so many users')
    .option('--concurrency <n>', 'requests at once of each user', '1')
    .option('--rounds <n>', 'requests one after another in each of them', '3')
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json', 'html']).default('text'))
    .addHelpText('after', examples)
    .action(async (url: string, flags: ProbeFlags) => {
      const answer = await runProbe(readProbe(url, flags, process.env), process.stderr);
      write(print(flags.output, answer));
      setExitCode(answer.isWorse ? 1 : 0);
    });
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}

function print(format: ProbeFlags['output'], answer: ProbeAnswer): string {
  if (format === 'html') return printProbePage(answer);
  if (format === 'json') return `${JSON.stringify(answer, null, 2)}\n`;
  return printProbe(answer, process.stdout.columns ?? plainWidth);
}
