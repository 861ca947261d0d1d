/**
 * The entry point of the image: `main.ts <function> [flags]` is `modelberth serve <function> [flags]`, and
 * `main.ts conform [flags]` is what an evidence Job runs.
 */
import { functions } from './functions.ts';
import { createServeCommand } from './serve-command.ts';

const [, , first, ...flags] = process.argv;
if (first === 'conform') {
  const { conformCommand } = await import('./evidence/conform-command.ts');
  const setExitCode = (code: number) => {
    process.exitCode = code;
  };
  await conformCommand(setExitCode, console.log).parseAsync(flags, { from: 'user' });
} else await createServeCommand(functions).parseAsync();
