import { setLogger } from '@grpc/grpc-js';
import { Command, type CommanderError } from 'commander';
import { closest, distance } from 'fastest-levenshtein';
import type { Logger } from 'pino';
import type { Compose } from './compose.ts';
import { type RunningServer, startServer } from './serve.ts';
import { createServeFlags, type ServeFlags, toServeOptions } from './serve-flags.ts';
import { CannotServe, type ServeOptions } from './serve-options.ts';
import { type FunctionName, functionNames } from './steps.ts';

const closing = `
Example:
  modelberth serve placement --insecure --address 127.0.0.1:9443

Exit codes: 0 a signal stopped it, 1 it cannot start, e.g. the address is taken, 2 bad usage`;

/**
 * The command `serve <function>` over the functions given. It ends the process itself: 0 when a signal stopped it, 1
 * when it cannot start, 2 on bad usage.
 */
export function createServeCommand(functions: Readonly<Record<FunctionName, Compose>>): Command {
  const command = new Command('serve')
    .description('Serve one composition function over gRPC, as Crossplane calls it')
    .argument('<function>', `one of ${functionNames.join(', ')}`)
    .addHelpText('after', closing)
    .exitOverride((error) => process.exit(exitCodeOf(error)));
  for (const option of createServeFlags()) command.addOption(option);
  return command.action(async (name: string, flags: ServeFlags) => {
    if (!isFunctionName(name)) return command.error(unknownFunction(name), { exitCode: 2, code: 'modelberth.usage' });
    try {
      await serve({ name, compose: functions[name], ...toServeOptions(flags) });
    } catch (error) {
      if (!(error instanceof CannotServe)) throw error;
      command.error(error.message, { exitCode: 1, code: 'modelberth.start' });
    }
  });
}

/** The exit code of what ended a command: commander itself knows 0 for help and 1 for every bad usage, which is 2 here. */
export function exitCodeOf({ code, exitCode }: CommanderError): number {
  return exitCode !== 0 && code.startsWith('commander.') ? 2 : exitCode;
}

async function serve(options: ServeOptions & { readonly log: Logger }): Promise<void> {
  const log = options.log.child({ function: options.name });
  const say = (message: string) => log.debug(message);
  setLogger({ error: say, info: say, debug: say });
  const server = await startServer(options);
  stopOnSignal(server, log);
  log.info({ address: server.address, metricsPort: server.metricsPort }, 'Listening');
}

/** Drains on the first signal; a second one ends the process at once, as it would any other. */
function stopOnSignal(server: RunningServer, log: Logger): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      log.info({ signal }, 'Draining');
      await server.stop();
      log.info('Stopped');
      process.exit(0);
    });
  }
}

function isFunctionName(name: string): name is FunctionName {
  return functionNames.some((known) => known === name);
}

function unknownFunction(name: string): string {
  const near = closest(name, functionNames);
  const hint =
    distance(name, near) <= near.length / 2 ? `did you mean "${near}"?` : `want one of ${functionNames.join(', ')}`;
  return `Cannot serve "${name}": no such function; ${hint}`;
}
