import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { functions } from '../functions/functions.ts';
import { createServeCommand } from '../functions/serve-command.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { explainCommand } from './explain/explain-command.ts';
import { fitCommand } from './fit/fit-command.ts';
import { modelCommand } from './model/model-command.ts';
import { planCommand } from './plan/plan-command.ts';
import { probeCommand } from './probe/probe-command.ts';
import { renderCommand } from './render/render-command.ts';

const ignore = () => {};
const verbs = [
  renderCommand(ignore, ignore),
  explainCommand(ignore, ignore),
  planCommand(ignore, ignore),
  fitCommand(ignore, ignore),
  modelCommand(ignore, ignore),
  probeCommand(ignore, ignore),
  doctorCommand(ignore, ignore),
  createServeCommand(functions),
];

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

const all = verbs.flatMap((verb) => [verb, ...verb.commands]).map((command) => [command.name(), command] as const);

test.each(all)('the help of %s has an example and the exit codes', (_name, command) => {
  const help = helpOf(command);
  expect(help).toMatch(/\nExamples?.*:\n {2}(\$ )?modelberth /);
  expect(help).toMatch(/\nExit codes: 0 /);
});
