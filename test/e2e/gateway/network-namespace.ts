/**
 * A network of its own for one Envoy: every gateway binds the same ports, and two must run side by side. It has nothing
 * but its loopback, so nothing in it can reach the internet either.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Relay } from './relay.ts';

export interface NetworkNamespace {
  /** Starts a program in the namespace; it ends with it. */
  readonly start: (program: readonly string[], environment?: NodeJS.ProcessEnv) => ChildProcess;
  /** Makes a port that is relayed refuse connections. */
  readonly refuse: (port: number) => void;
  /** Ends every program that was started, and the namespace. */
  readonly close: () => Promise<void>;
}

/** Opens a namespace with its loopback up and relays into and out of it. Throws where the kernel does not let us. */
export async function openNamespace(relays: readonly Relay[]): Promise<NetworkNamespace> {
  const relay = [process.execPath, join(import.meta.dirname, 'relay.ts'), JSON.stringify(relays)];
  const own = ['--net', '--pid', '--fork', '--kill-child', ...asRoot(['--map-root-user'])];
  const holder = spawn('unshare', [...own, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...relay]);
  await untilRelayed(holder);
  const pid = firstProcess(holder.pid ?? 0);
  const enter = ['--target', pid, '--net', '--pid', ...asRoot(['--user', '--preserve-credentials']), '--'];
  return {
    start: (program, environment = process.env) => spawn('nsenter', [...enter, ...program], { env: environment }),
    refuse: (port) => holder.stdin?.write(`${port}\n`),
    close: async () => {
      const closed = once(holder, 'close');
      holder.stdin?.end();
      await closed;
    },
  };
}

/** A user namespace as well where we are not root: only its root may make a network. */
function asRoot(options: readonly string[]): readonly string[] {
  return process.getuid?.() === 0 ? [] : options;
}

/** The relay, as we see it; `unshare` stays outside of the namespace that it makes. */
function firstProcess(unshare: number): string {
  return readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8').trim();
}

/** Resolves when the holder says that its relays listen. */
async function untilRelayed(holder: ChildProcess): Promise<void> {
  const said: string[] = [];
  holder.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const ended = once(holder, 'close').then(([code]) => {
    throw new Error(`Cannot open a network namespace: unshare ended with ${code}: ${said.join('').trim()}`);
  });
  ended.catch(() => {}); // It ends when the tests do.
  await Promise.race([holder.stdout === null ? ended : once(holder.stdout, 'data'), ended]);
}
