import { describe, expect, test } from 'vitest';
import { readInput } from './input.ts';

const empty = { apiVersion: 'fn.modelberth.dev/v1alpha1', kind: 'PlacementInput' };

describe('readInput reads', () => {
  const valid: readonly [string, Record<string, unknown> | undefined, unknown][] = [
    ['an absent Input as an empty one', undefined, {}],
    ['an empty Input', empty, {}],
    ['the shortest time to the next reconcile', { ...empty, ttlSeconds: 5 }, { ttlSeconds: 5 }],
    ['the longest', { ...empty, ttlSeconds: 60 }, { ttlSeconds: 60 }],
    ['metadata, which tools add', { ...empty, metadata: { name: 'a' } }, {}],
  ];
  test.each(valid)('%s', (_name, input, value) => {
    expect(readInput('placement', input)).toEqual({ state: 'Valid', value });
  });
});

describe('S1 readInput refuses and names the field when', () => {
  const invalid: readonly [string, Record<string, unknown>, readonly RegExp[]][] = [
    [
      'it is of another API',
      { ...empty, apiVersion: 'v1' },
      [/ input\.apiVersion: [^;]*"fn\.modelberth\.dev\/v1alpha1"/],
    ],
    ['it is of another kind', { ...empty, kind: 'GatewayInput' }, [/ input\.kind: [^;]*"PlacementInput"/]],
    ['it is empty', {}, [/ input\.apiVersion: /, / input\.kind: /]],
    ['the time is 0, which would stop reconciling', { ...empty, ttlSeconds: 0 }, [/ input\.ttlSeconds: [^;]*5/]],
    ['the time is too long', { ...empty, ttlSeconds: 61 }, [/ input\.ttlSeconds: [^;]*60/]],
    ['the time is text', { ...empty, ttlSeconds: '30' }, [/ input\.ttlSeconds: [^;]*number[^;]*string/]],
    ['the time is no whole number', { ...empty, ttlSeconds: 5.5 }, [/ input\.ttlSeconds: /]],
    ['a field is misspelt', { ...empty, ttlSecond: 30 }, [/"ttlSecond"/]],
    ['two fields are wrong', { ...empty, kind: 1, ttlSeconds: 1 }, [/ input\.kind: /, / input\.ttlSeconds: /]],
  ];
  test.each(invalid)('%s', (_name, input, patterns) => {
    const read = readInput('placement', input);
    const why = read.state === 'Invalid' ? read.why : '';
    expect(why).toMatch(/^Cannot use the Input of the placement step: [^\n]+; fix it in the Composition$/);
    for (const pattern of patterns) expect(why).toMatch(pattern);
  });

  test('at most five faults are named', () => {
    const fields = Object.fromEntries(['a', 'b'].map((name) => [name, 1]));
    const read = readInput('gateway', { apiVersion: 1, kind: 1, metadata: 1, ttlSeconds: '1', ...fields });
    expect(read.state === 'Invalid' ? read.why.split('; ').length : 0).toBe(6);
  });
});
