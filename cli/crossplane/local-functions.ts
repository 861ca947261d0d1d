import { functions } from '../../functions/functions.ts';
import { startServer } from '../../functions/serve.ts';
import { type FunctionName, functionNames } from '../../functions/steps.ts';
import { connectFunctions, type FunctionClients } from './function-client.ts';

export interface LocalFunctions extends Pick<FunctionClients, 'call'> {
  stop(): Promise<void>;
}

/** The one random value of a render: fixed, so that every round gives the same bytes; it is never printed. */
const placeholderKey = 'a-random-key-is-made-when-this-is-applied';

/** Starts the four functions on loopback, as they run in a cluster but for TLS, with a clock of the caller's. */
export async function startLocalFunctions(now: () => Date): Promise<LocalFunctions> {
  const servers = await Promise.all(
    functionNames.map(async (name) => {
      const server = await startServer({
        name,
        compose: functions[name],
        address: '127.0.0.1:0',
        insecure: true,
        now,
        randomKey: () => placeholderKey,
      });
      return [name, server] as const;
    }),
  );
  const addresses = Object.fromEntries(servers.map(([name, server]) => [name, `127.0.0.1:${server.port}`]));
  const clients = connectFunctions(addresses as Record<FunctionName, string>);
  return {
    call: clients.call,
    stop: async () => {
      clients.close();
      await Promise.all(servers.map(([, server]) => server.stop()));
    },
  };
}
