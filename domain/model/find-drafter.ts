import { z } from 'zod';
import { once } from '../units/once.ts';
import json from './drafters.json' with { type: 'json' };

/** A model that proposes tokens for another one: what it adds to the cache and to the weights of its target. */
const Drafter = z.strictObject({
  name: z.string().min(1),
  layers: z.int32().min(0),
  keyValueHeads: z.int32().min(1),
  headSize: z.int32().min(1),
  weightBytes: z.number().min(0),
  source: z.string().min(1),
  readOn: z.iso.date(),
});
export type Drafter = z.output<typeof Drafter>;

const drafters = once(() => {
  const all = Drafter.array().parse(json);
  return new Map(all.map((drafter) => [drafter.name.toLowerCase(), drafter]));
});

/** The drafter of a hub name; undefined for one that is not known. */
export function findDrafter(name: string): Drafter | undefined {
  return drafters().get(name.toLowerCase());
}
