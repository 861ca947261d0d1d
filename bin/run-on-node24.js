// Plain JavaScript for Node 18 and newer: it runs on the Node that a machine happens to have.
import { spawn } from 'node:child_process';
import { describeMissing, findNode24, thisMachine } from './find-node24.js';

/** Signals that are passed on; the terminal itself sends an interrupt to both processes. */
const forwarded = /** @type {const} */ (['SIGTERM', 'SIGHUP', 'SIGINT']);

/**
 * Runs a file on Node 24 with the same stdio, signals and exit code; ends this process with it.
 * @param {string} file
 * @param {readonly string[]} args
 */
export function runOnNode24(file, args) {
  const search = findNode24(thisMachine());
  if ('found' in search) return fail(file, search.found);
  const child = spawn(search.node, [file, ...args], { stdio: 'inherit' });
  for (const signal of forwarded) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => fail(file, [error.message]));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const name of forwarded) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

/**
 * @param {string} file
 * @param {readonly string[]} found
 */
function fail(file, found) {
  console.error(describeMissing(file, found));
  process.exit(1);
}
