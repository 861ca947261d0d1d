import { setTimeout as sleep } from 'node:timers/promises';

export interface Wait {
  readonly seconds?: number;
  /** What is there instead, for the one who reads the failure. */
  readonly describe?: () => Promise<string>;
}

/** Asks until there is an answer. Throws with what was asked for when there is none in time. */
export async function until<Found>(
  what: string,
  ask: () => Promise<Found | undefined>,
  { seconds = 30, describe }: Wait = {},
): Promise<Found> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (performance.now() > end) {
      const instead = describe === undefined ? '' : `: ${await describe()}`;
      throw new Error(`Cannot see in ${seconds} s that ${what}${instead}`);
    }
    await sleep(250);
  }
}
