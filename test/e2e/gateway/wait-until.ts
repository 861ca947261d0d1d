import { setTimeout as sleep } from 'node:timers/promises';

/** Seconds that a change of the objects may take: Envoy Gateway checks all files again, 5 to 8 were measured. */
const longestSeconds = 60;

/** Waits until something holds. Throws, naming it, when it does not come. */
export async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + longestSeconds * 1000;
  while (performance.now() < deadline) {
    if (await holds()) return;
    await sleep(250);
  }
  throw new Error(`Waited ${longestSeconds} s in vain until ${what}`);
}
