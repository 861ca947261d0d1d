// Plain JavaScript for Node 18 and newer: it runs on the Node that a machine happens to have.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The one major version of Node that everything here is run and tested on. */
export const wantedMajor = '24';

/**
 * @typedef {object} Machine
 * @property {string} execPath the Node that runs this
 * @property {string} version its version, with a leading v
 * @property {string} platform
 * @property {string} arch
 * @property {(packageName: string) => string | undefined} packageFolder where an npm package is installed
 * @property {(command: string) => string | undefined} versionOf what `command --version` prints; undefined when it does not run
 */

/**
 * Finds a Node 24: the one that runs this, else the npm package for the platform, else one in PATH.
 * Where there is none, `found` says what was there instead.
 * @param {Machine} machine
 * @returns {{ node: string } | { found: string[] }}
 */
export function findNode24(machine) {
  if (isWanted(machine.version)) return { node: machine.execPath };
  const found = [`Node ${machine.version.slice(1)} runs this`];
  for (const candidate of candidates(machine)) {
    const version = candidate.command === undefined ? undefined : machine.versionOf(candidate.command);
    if (candidate.command !== undefined && isWanted(version)) return { node: candidate.command };
    found.push(version === undefined ? `no ${candidate.name}` : `${candidate.name} is ${version.slice(1)}`);
  }
  return { found };
}

/**
 * The message of a search that found none: what was to run, what was there instead, and the fix.
 * @param {string} file
 * @param {readonly string[]} found
 */
export function describeMissing(file, found) {
  return `Cannot run "${file}" on Node ${wantedMajor}: ${found.join(', ')}; run "npm ci" without --omit=optional, or install Node ${wantedMajor} as "node" or "node${wantedMajor}" in PATH`;
}

/** @param {Machine} machine */
function candidates({ platform, arch, packageFolder }) {
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const folder = packageFolder(name);
  const file = platform === 'win32' ? 'node.exe' : 'node';
  return [
    { name: `npm package ${name}`, command: folder === undefined ? undefined : join(folder, 'bin', file) },
    { name: '"node24" in PATH', command: 'node24' },
    { name: '"node" in PATH', command: 'node' },
  ];
}

/** @param {string | undefined} version */
function isWanted(version) {
  return version?.startsWith(`v${wantedMajor}.`) === true;
}

/** @returns {Machine} */
export function thisMachine() {
  const { execPath, version, platform, arch } = process;
  return { execPath, version, platform, arch, packageFolder, versionOf };
}

/** @param {string} name */
function packageFolder(name) {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/** @param {string} command */
function versionOf(command) {
  try {
    return execFileSync(command, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
