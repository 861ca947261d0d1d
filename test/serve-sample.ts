/** A process like `main.ts`, for tests of flags, signals and exit codes: its functions compose nothing and tell the time. */
import type { Compose } from '../functions/compose.ts';
import { createServeCommand } from '../functions/serve-command.ts';
import { composeNothing } from './compose-nothing.ts';

const tellTime: Compose = (request) => ({ ...composeNothing(request), status: { now: request.now.toISOString() } });
const functions = { placement: tellTime, 'engine-config': tellTime, 'rollout-strategy': tellTime, gateway: tellTime };

await createServeCommand(functions).parseAsync();
