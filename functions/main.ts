/** The entry point of the image: `main.ts <function> [flags]` is `modelberth serve <function> [flags]`. */
import { functions } from './functions.ts';
import { createServeCommand } from './serve-command.ts';

await createServeCommand(functions).parseAsync();
