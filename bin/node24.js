#!/usr/bin/env node
// node bin/node24.js FILE|EXECUTABLE [arguments]: runs a file, or an executable of node_modules by its name, on Node 24.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOnNode24 } from './run-on-node24.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The file of an executable by its name. Read from npm's own list, not from `node_modules/.bin`, whose entries are shell
 * scripts on Windows; undefined when no installed package has it.
 * @param {string} name
 */
function findExecutable(name) {
  const list = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return undefined;
  /** @type {{ packages: Record<string, { bin?: Record<string, string> }> }} */
  const { packages } = JSON.parse(readFileSync(list, 'utf8'));
  for (const [folder, { bin }] of Object.entries(packages)) {
    if (bin?.[name] !== undefined) return join(root, folder, bin[name]);
  }
  return undefined;
}

const [name, ...args] = process.argv.slice(2);
const file = name === undefined || existsSync(name) ? name : findExecutable(name);
if (file === undefined) {
  console.error(
    name === undefined
      ? 'Cannot run nothing: name a file, or an executable of node_modules: node bin/node24.js FILE|EXECUTABLE [arguments]'
      : `Cannot run "${name}": it is neither a file nor an executable of node_modules; run "npm ci"`,
  );
  process.exit(1);
}
runOnNode24(file, args);
