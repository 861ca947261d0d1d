/**
 * The libraries that Node is linked to, as Debian packages of a target. `apt-get` fetches and verifies them with the
 * sources and keys of this machine, in folders of its own: no package of the machine is touched, and none is installed.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../tool-cache.ts';
import { runTool } from './run-tool.ts';
import type { Target } from './target.ts';

/** The packages of Debian 12; the first has the licence of the last two. */
export const debianPackages = ['gcc-12-base', 'libc6', 'libgcc-s1', 'libstdc++6'] as const;

/** The `.deb` files of a target, fetched once; `refresh` asks for what Debian has now. */
export function fetchLibraries(target: Target, refresh: boolean): readonly string[] {
  const place = join(cacheFolder(process.env), `debian-${target.architecture}`);
  if (refresh || !existsSync(place)) download(target, place);
  const files = readdirSync(place).sort();
  return debianPackages.map((name) => join(place, files.find((file) => file.startsWith(`${name}_`)) ?? name));
}

function download({ architecture }: Target, place: string): void {
  mkdirSync(cacheFolder(process.env), { recursive: true });
  const scratch = mkdtempSync(`${place}.`);
  const folders = ['state/lists/partial', 'cache/archives/partial', 'debs'];
  for (const folder of folders) mkdirSync(join(scratch, folder), { recursive: true });
  const options = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    `Dir::State=${join(scratch, 'state')}`,
    'Dir::State::status=/dev/null',
    `Dir::Cache=${join(scratch, 'cache')}`,
    'Acquire::Languages=none',
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  try {
    runTool('apt-get', [...options, 'update', '-qq']);
    runTool('apt-get', [...options, 'download', '-qq', ...debianPackages], join(scratch, 'debs'));
    rmSync(place, { recursive: true, force: true });
    renameSync(join(scratch, 'debs'), place);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
