/** Words that differ from try to try and are the same in every run: no two tries share a cache, every run is repeatable. */

const firstNames = 'Ada Bela Cyril Dorte Emre Farah Goran Hilke Ilja Jonna Kofi Lucia Mads Nadia Odo Petra'.split(' ');
const lastNames =
  'Abara Brandt Cohen Diallo Eriksen Fonseca Gruber Halloran Ishida Jansen Kowal Lindqvist Moreau Novak Okafor Petrov'.split(
    ' ',
  );

/** A number that looks random and follows from its seed (mulberry32, one step). */
export function scramble(seed: number): number {
  let state = (seed + 0x6d2b79f5) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return (state ^ (state >>> 14)) >>> 0;
}

const fullNames = firstNames.flatMap((first) => lastNames.map((last) => `${first} ${last}`));

/** Different full names, as many as asked for, at most 256: the first of a shuffle (Fisher and Yates). */
export function chooseNames(seed: number, count: number): readonly string[] {
  const names = [...fullNames];
  for (let index = 0; index < Math.min(count, names.length); index += 1) {
    const other = index + (scramble(seed * 1009 + index) % (names.length - index));
    [names[index], names[other]] = [names[other] ?? '', names[index] ?? ''];
  }
  return names.slice(0, count);
}

/** One of several words. */
export function chooseOne<T>(seed: number, among: readonly [T, ...T[]]): T {
  return among[scramble(seed) % among.length] ?? among[0];
}

/** A number of some digits, the first not 0. */
export function chooseDigits(seed: number, digits: number): string {
  const least = 10 ** (digits - 1);
  return String(least + (scramble(seed) % (9 * least)));
}
