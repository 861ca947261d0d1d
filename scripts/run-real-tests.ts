import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { MissingTools } from './tool-cache.ts';

const node24 = join(import.meta.dirname, '../bin/node24.js');

export interface RealTests {
  /** What is real in them, e.g. "Crossplane". */
  readonly what: string;
  readonly project: string;
  readonly toolbox: object | MissingTools;
  readonly args?: readonly string[];
}

/**
 * Runs the tests of a project that need real binaries; returns the exit code. Without the binaries a person's run is
 * skipped, saying so; CI installs them or fails.
 */
export function runRealTests({ what, project, toolbox, args = [] }: RealTests): number {
  const missing = 'missing' in toolbox ? toolbox.missing : [];
  const isCi = (process.env.CI ?? '') !== '';
  if (missing.length > 0 && !isCi) {
    console.log(
      `SKIPPED: the tests with the real ${what} need ${missing.join(', ')}; install them with "npm run tools" (needs Go; minutes the first time)\n\n0 passed, 0 failed, 1 skipped`,
    );
    return 0;
  }
  const installed = missing.length > 0 ? run(join(import.meta.dirname, 'install-tools.ts')) : 0;
  return installed === 0 ? run('vitest', 'run', '--project', project, ...args, ...process.argv.slice(2)) : installed;
}

function run(...command: readonly string[]): number {
  return spawnSync(process.execPath, [node24, ...command], { stdio: 'inherit' }).status ?? 1;
}
