import { expect, test } from 'vitest';
import { once } from './once.ts';

test.each([[{ a: 1 }], [undefined]])('once makes %o when it is asked for, and never again', (value) => {
  let count = 0;
  const get = once(() => {
    count += 1;
    return value;
  });
  expect(count).toBe(0);
  expect([get(), get(), count]).toEqual([value, value, 1]);
});
