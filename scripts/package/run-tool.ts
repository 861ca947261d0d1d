import { spawnSync } from 'node:child_process';

/** Runs a program to its end and returns what it printed. Throws with what it said when it is missing or fails. */
export function runTool(program: string, args: readonly string[], cwd?: string): string {
  const run = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (run.status === 0) return run.stdout;
  const said = run.error?.message ?? `${run.stderr}${run.stdout}`.trim();
  throw new Error(`Cannot run "${program} ${args.join(' ')}": ${said}`);
}
