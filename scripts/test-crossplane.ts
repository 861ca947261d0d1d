/**
 * Runs the tests that need the real Crossplane. Without its binaries a person's run is skipped, saying so; CI installs
 * them or fails.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findToolbox } from './tool-cache.ts';

const node24 = join(import.meta.dirname, '../bin/node24.js');
const toolbox = findToolbox();
const isMissing = 'missing' in toolbox;
const isCi = (process.env.CI ?? '') !== '';

if (isMissing && !isCi) {
  console.log(
    `SKIPPED: the tests with the real Crossplane need ${toolbox.missing.join(', ')}; install them with "npm run tools" (needs Go; minutes the first time)\n\n0 passed, 0 failed, 1 skipped`,
  );
} else {
  const installed = isMissing ? run(join(import.meta.dirname, 'install-tools.ts')) : 0;
  process.exitCode =
    installed === 0 ? run('vitest', 'run', '--project', 'crossplane', ...process.argv.slice(2)) : installed;
}

function run(...command: readonly string[]): number {
  return spawnSync(process.execPath, [node24, ...command], { stdio: 'inherit' }).status ?? 1;
}
