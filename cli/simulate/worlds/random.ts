/** Chance from a seed: numbers from 0 up to 1, the same for the same seed (mulberry32, public domain, Tommy Ettinger). */
export type Random = () => number;

/** A source of chance; the parts of its seed keep two sources of one world apart. */
export function createRandom(...seed: readonly (string | number)[]): Random {
  let state = hashText(seed.join('/'));
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** FNV-1a in 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** One of some, each as likely as the others. Throws where there is none. */
export function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new Error('Cannot pick one of nothing');
  return picked;
}

/** A whole number from `least` to `most`, each as likely as the others. */
export function wholeBetween(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** Minutes to the next event of a process that has so many events a minute on average; infinite for none. */
export function minutesToNext(random: Random, ratePerMinute: number): number {
  return ratePerMinute > 0 ? -Math.log(1 - random()) / ratePerMinute : Number.POSITIVE_INFINITY;
}
