import { setTimeout as sleep } from 'node:timers/promises';

export interface Wait {
  readonly seconds?: number;
}

/** Asks until there is an answer. Throws with what was asked for when there is none in time. */
export async function until<Found>(
  what: string,
  ask: () => Promise<Found | undefined>,
  { seconds = 30 }: Wait = {},
): Promise<Found> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`Cannot see in ${seconds} s that ${what}`);
    await sleep(250);
  }
}
