import { Command, CommanderError } from 'commander';
import { functions } from '../functions/functions.ts';
import { createServeCommand, exitCodeOf } from '../functions/serve-command.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { explainCommand } from './explain/explain-command.ts';
import { fitCommand } from './fit/fit-command.ts';
import { modelCommand } from './model/model-command.ts';
import { planCommand } from './plan/plan-command.ts';
import { probeCommand } from './probe/probe-command.ts';
import { renderCommand } from './render/render-command.ts';
import { simulateCommand } from './simulate/simulate-command.ts';
import { UnreadableInput } from './unreadable.ts';

const examples = `
Examples:
  modelberth render -f examples/hello
  modelberth explain -f examples/hello
  modelberth plan -f examples/poc-2 --live live/
  modelberth fit --model meta-llama/Llama-3.1-8B-Instruct --accelerator L4
  modelberth probe http://127.0.0.1:8000 --model chat/llama
  modelberth simulate -f test/simulate/drawn.yaml --policy all
  modelberth serve placement --insecure --address 127.0.0.1:9443`;

/** A reader that has seen enough, such as `head`, is no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const write = (text: string) => process.stdout.write(text);
const say = (line: string) => process.stderr.write(`${line}\n`);
const setExitCode = (code: number) => {
  process.exitCode = code;
};

const program = new Command('modelberth')
  .description('From a claim for a model to node pools, workloads and gateway resources')
  .addHelpText('after', examples)
  .exitOverride()
  .addCommand(renderCommand(write, setExitCode).exitOverride())
  .addCommand(explainCommand(write, setExitCode).exitOverride())
  .addCommand(planCommand(write, setExitCode).exitOverride())
  .addCommand(fitCommand(write, setExitCode).exitOverride())
  .addCommand(modelCommand(write, setExitCode).exitOverride())
  .addCommand(probeCommand(write, setExitCode).exitOverride())
  .addCommand(simulateCommand({ write, say, setExitCode }).exitOverride())
  .addCommand(doctorCommand(write, setExitCode).exitOverride())
  .addCommand(createServeCommand(functions));

/** Not 0, 1 or 2, which say something about the input: `EX_SOFTWARE` of sysexits.h. */
const unforeseen = 70;

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = exitCodeOf(error);
  else if (error instanceof UnreadableInput) {
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 2;
  } else {
    process.stderr.write(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = unforeseen;
  }
}
