import { isRecord, type KubernetesObject, readList, readString } from '../../domain/kubernetes/object.ts';
import { functions } from '../../functions/functions.ts';
import { type RunningServer, startServer } from '../../functions/serve.ts';
import { type FunctionName, functionNames } from '../../functions/steps.ts';
import { surroundings } from '../render/surroundings.ts';

/** The four functions as servers on loopback, in plaintext, with the clock and chance of the golden cases. */
export interface FunctionServers {
  readonly addresses: Readonly<Record<FunctionName, string>>;
  stop(): Promise<void>;
}

/** Starts the four functions, each on a free port. */
export async function startFunctionServers(): Promise<FunctionServers> {
  const servers = new Map<FunctionName, RunningServer>();
  for (const name of functionNames) {
    const options = { name, compose: functions[name], insecure: true, address: '127.0.0.1:0', ...surroundings };
    servers.set(name, await startServer(options));
  }
  return {
    addresses: Object.fromEntries([...servers].map(([name, { address }]) => [name, address])) as Record<
      FunctionName,
      string
    >,
    stop: async () => {
      await Promise.all([...servers.values()].map((server) => server.stop()));
    },
  };
}

/** The address of every function that a Composition names, by that name. Throws when it is none of ours. */
export function functionAddresses(
  composition: KubernetesObject,
  servers: FunctionServers,
): Readonly<Record<string, string>> {
  const addresses: Record<string, string> = {};
  for (const step of readList(composition, ['spec', 'pipeline']).filter(isRecord)) {
    const installed = readString(step, ['functionRef', 'name']) ?? '';
    const name = functionNames.find((candidate) => installed === candidate || installed.endsWith(`-${candidate}`));
    if (name === undefined)
      throw new Error(`Cannot start function "${installed}": want one of ${functionNames.join(', ')}`);
    addresses[installed] = servers.addresses[name];
  }
  return addresses;
}
