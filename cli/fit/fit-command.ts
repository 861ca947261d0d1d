import { Command, Option } from 'commander';
import { answerRequest, type FitAnswer } from './answer-request.ts';
import { type FitFlags, readRequest } from './fit-request.ts';
import { judgeCase } from './judge-case.ts';
import { printFit } from './print-fit.ts';
import { printPage } from './print-page.ts';
import { readCases } from './read-cases.ts';

interface Flags extends FitFlags {
  readonly cases?: string;
  readonly output: 'text' | 'json' | 'html';
}

const examples = `
Examples:
  modelberth fit --model meta-llama/Llama-3.1-8B-Instruct --accelerator L4 --context 16384
  modelberth fit --model Qwen/Qwen3.5-35B-A3B --accelerator L40S --count 2 --agent-users 15 --engine vllm@0.30
  modelberth fit --model facts.yaml --accelerator MI300X -o html > fit.html
  modelberth fit --cases starts.jsonl -o json

Exit codes: 0 it fits, 1 it does not or a fact is missing, 2 bad usage, unreadable input or a model that the catalogue
lacks`;

/** `modelberth fit`: says whether a model fits an accelerator, before money is spent. */
export function fitCommand(write: (text: string) => void, setExitCode: (code: number) => void): Command {
  return new Command('fit')
    .description('Say whether a model fits an accelerator, with which flags, and what would change that')
    .option('--model <id>', 'name on the hub, or a file of facts (YAML or JSON)')
    .option('--accelerator <name>', 'accelerator by name, or its visible memory, e.g. 44.4GiB')
    .option('--count <n>', 'accelerators of one node', '1')
    .option('--nodes <n>', 'nodes of one replica', '1')
    .option('--pipeline <n>', 'pipeline parallel size; default: the nodes')
    .option('--context <tokens>', 'longest context of one request; default: 32768, or the longest of a smaller model')
    .option('--concurrency <n>', 'requests at once')
    .option('--people <n>', 'people who call, in place of --concurrency')
    .option('--agent-users <n>', 'people whose agents call, in place of --concurrency')
    .option('--engine <engine>', 'engine and version, e.g. vllm@0.30 or sglang@0.5', 'vllm')
    .option('--arg <argument>', 'an argument of the engine; may be given again', collect, [])
    .option('--cases <file>', 'judge logged starts, one JSON a line, in place of a model')
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json', 'html']).default('text'))
    .addHelpText('after', examples)
    .action((flags: Flags) => {
      if (flags.cases !== undefined) {
        for (const logged of readCases(flags.cases)) write(`${JSON.stringify(judgeCase(logged))}\n`);
        return;
      }
      const answer = answerRequest(readRequest(flags));
      write(print(flags.output, answer));
      setExitCode(answer.verdict.verdict === 'Fit' && answer.illegal.length === 0 ? 0 : 1);
    });
}

function collect(argument: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, argument];
}

function print(format: Flags['output'], answer: FitAnswer): string {
  if (format === 'html') return printPage(answer);
  if (format === 'text') return printFit(answer);
  const { request, ...said } = answer;
  const { modelName, known, question } = request;
  const asked = { model: modelName, accelerator: known.name, shape: question.shape, load: question.load };
  return `${JSON.stringify({ ...asked, ...said }, null, 2)}\n`;
}
