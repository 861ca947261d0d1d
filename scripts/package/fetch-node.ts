import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../tool-cache.ts';
import { runTool } from './run-tool.ts';
import type { Target } from './target.ts';

const root = join(import.meta.dirname, '../..');

interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
}

/** The version and the integrity of the Node of a target, as `package-lock.json` has them. */
export function lockedNode({ node }: Target): LockedPackage {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const locked = lock.packages[`node_modules/${node}`];
  if (locked === undefined) throw new Error(`Cannot find ${node} in package-lock.json: add it as optional dependency`);
  return locked;
}

/** The folder with `bin/node` and `LICENSE` of a target: fetched by npm once, and taken only with its locked integrity. */
export function fetchNode(target: Target): string {
  const { version, integrity } = lockedNode(target);
  const place = join(cacheFolder(process.env), `${target.node}-${version}`);
  if (existsSync(place)) return place;
  mkdirSync(dirname(place), { recursive: true });
  const scratch = mkdtempSync(`${place}.`);
  try {
    runTool('npm', ['pack', '--silent', `${target.node}@${version}`, '--pack-destination', scratch], scratch);
    const archive = join(scratch, readdirSync(scratch).find((name) => name.endsWith('.tgz')) ?? '');
    const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (found !== integrity) throw new Error(`Cannot use ${target.node}@${version}: found ${found}, want ${integrity}`);
    runTool('tar', ['-xzf', archive, '-C', scratch, 'package/bin/node', 'package/LICENSE']);
    renameSync(join(scratch, 'package'), place);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return place;
}
