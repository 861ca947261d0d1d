import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that runs until it is ended; what it says is in a file. */
export interface RunningProgram {
  readonly name: string;
  readonly child: ChildProcess;
  readonly log: string;
}

export interface Program {
  readonly name: string;
  readonly binary: string;
  readonly args: readonly string[];
  /** Where its log goes. */
  readonly folder: string;
}

/** Starts a program; it ends with this process whatever happens. */
export function startProgram({ name, binary, args, folder }: Program): RunningProgram {
  const log = join(folder, `${name}.log`);
  const output = openSync(log, 'w');
  const child = spawn(binary, args, { cwd: folder, stdio: ['ignore', output, output] });
  closeSync(output);
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.removeListener('exit', end));
  return { name, child, log };
}

/** Ends a program and waits until it is gone; one that lingers is killed. */
export async function endProgram({ child }: RunningProgram): Promise<void> {
  if (hasEnded(child)) return;
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  child.kill('SIGTERM');
  const lingers = AbortSignal.timeout(10_000);
  lingers.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  await gone;
}

/** Waits until a program is ready. Throws with the end of its log when it ended or is not ready in time. */
export async function untilReady(
  program: RunningProgram,
  isReady: () => Promise<boolean>,
  seconds = 60,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end && !hasEnded(program.child)) {
    if (await isReady().catch(() => false)) return;
    await sleep(100);
  }
  const last = readFileSync(program.log, 'utf8').split('\n').slice(-15).join('\n');
  const state = hasEnded(program.child) ? 'it ended' : `it is not ready after ${seconds} s`;
  throw new Error(`Cannot start ${program.name}: ${state}; its log ends with:\n${last}`);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** A port of loopback that nothing listens on. */
export async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
