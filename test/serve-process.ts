import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ServeProcess {
  readonly child: ChildProcess;
  /** Everything written to standard output and standard error so far. */
  output(): string;
  /** HOST:PORT, once it listens. Rejects when the process ends before. */
  listening(): Promise<string>;
  /** The exit code, once it has ended; null when a signal ended it. */
  exitCode(): Promise<number | null>;
}

/** Runs a script of this repository, or a bundle of it, with the Node that runs the tests. */
export function runServe(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ServeProcess {
  return runServeBy([process.execPath, script, ...args], env);
}

/** Runs a command that serves a function in the end. */
export function runServeBy(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): ServeProcess {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = once(child, 'close');
  const output = () => Buffer.concat(chunks).toString();
  const findAddress = () => /"address":"([^"]+)"/.exec(output())?.[1];

  async function listening(): Promise<string> {
    while (findAddress() === undefined && child.exitCode === null)
      await Promise.race([once(child.stderr, 'data'), closed]);
    const address = findAddress();
    if (address === undefined) throw new Error(`The process ended before it listened: ${output()}`);
    return address;
  }

  async function exitCode(): Promise<number | null> {
    await closed;
    return child.exitCode;
  }
  return { child, output, listening, exitCode };
}
