import { spawn } from 'node:child_process';

export interface ProgramRun {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs a program to its end without blocking this process, in which the functions answer it. */
export function runProgram(binary: string, args: readonly string[], input: Uint8Array | string): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { timeout: 50_000 });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString().trim() });
    });
    child.stdin.on('error', () => {}); // A program that ends early does not read its input; its exit code says why.
    child.stdin.end(input);
  });
}
