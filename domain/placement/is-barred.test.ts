import { expect, test } from 'vitest';
import { isBarred } from './is-barred.ts';

const one = '1x1-tp1-pp1';
const gang = '2x1-tp1-pp2';

test.each([
  ['its class is not listed', `l40s/${one}/OnDemand`, {}, true],
  ['nothing is against it', `l4/${one}/OnDemand`, {}, false],
  ['spot is not allowed where no market is stated', `l4/${one}/Spot`, {}, true],
  ['spot is allowed', `l4/${one}/Spot`, { markets: ['Spot'] }, false],
  ['a market was taken away', `l4/${one}/OnDemand`, { markets: ['Spot'] }, true],
  ['a reservation is a market', `l4/${one}/Reservation/cr-1`, { markets: ['Reservation'] }, false],
  ['an existing pool is no market', `l4/${one}/pool/vultr`, { markets: ['Spot'] }, false],
  ['a name of another version says no market', `l4/${one}/Elsewhere`, { markets: ['Spot'] }, false],
  ['a gang may span zones', `l4/${gang}/OnDemand`, { zones: 'Any' }, false],
  ['a gang must not span zones any more', `l4/${gang}/OnDemand`, { zones: 'Same' }, true],
  ['a gang is in one zone', `l4/${gang}/OnDemand/eu-west-1a`, { zones: 'Same' }, false],
  ['one node spans no zones', `l4/${one}/OnDemand`, { zones: 'Same' }, false],
] as const)('L12 L41 the live rung is barred or not: %s', (_why, rung, rules, expected) => {
  expect(isBarred(rung, { classes: ['l4'], ...rules })).toBe(expected);
});
