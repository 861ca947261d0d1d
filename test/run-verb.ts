import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';

const root = join(import.meta.dirname, '..');

/** Runs the command as a person would, in a process of its own; standard output is no terminal, so 100 wide. */
export async function modelberth(...args: readonly string[]) {
  const child = spawn(process.execPath, [join(root, 'bin/modelberth.js'), ...args], { cwd: root });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: Number(code), out, err };
}

type Verb = (write: (text: string) => void, setExitCode: (code: number) => void) => Command;

/** Runs a verb in this process, which takes a tenth of the time. Rejects with what main.ts turns into exit code 2. */
export async function runVerb(verb: Verb, args: readonly string[]): Promise<{ code: number; out: string }> {
  let out = '';
  let code = 0;
  const write = (written: string) => {
    out += written;
  };
  const command = verb(write, (given) => {
    code = given;
  });
  await command
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: write })
    .parseAsync([...args], { from: 'user' });
  return { code, out };
}
