import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { freezeBecause, readSpec } from './freeze.ts';

test('S1 freezeBecause keeps the requirements and says in one Unknown condition why', () => {
  const requirements = { resources: { nodes: { apiVersion: 'v1', kind: 'Node' } } };
  const condition = { type: 'Placed', reason: 'ClassMissing', message: 'Cannot find InferenceClass "l4"' } as const;
  expect(freezeBecause(requirements, condition)).toEqual({
    frozen: true,
    requirements,
    conditions: [{ ...condition, status: 'Unknown' }],
  });
});

test('freezeBecause takes nothing into the condition that is no part of one', () => {
  const held = { state: 'Held', type: 'Placed', reason: 'ClassMissing', message: 'Cannot find it' } as const;
  expect(freezeBecause({ resources: {} }, held).conditions).toEqual([
    { type: 'Placed', status: 'Unknown', reason: 'ClassMissing', message: 'Cannot find it' },
  ]);
});

describe('readSpec', () => {
  const Spec = z.object({
    size: z.int32().default(1),
    list: z.array(z.object({ name: z.string() })).optional(),
    more: z.record(z.string(), z.number()).optional(),
  });
  const objectWith = (spec: unknown) => ({ apiVersion: 'v1', kind: 'Sample', metadata: { name: 'a' }, spec });

  test('reads a valid spec with its defaults', () => {
    expect(readSpec(objectWith({}), Spec)).toEqual({ state: 'Valid', spec: { size: 1 } });
  });

  const invalid: readonly [string, unknown, string][] = [
    ['it is missing', undefined, 'spec: Invalid input: expected object, received undefined'],
    ['it is text', 'text', 'spec: Invalid input: expected object, received string'],
    ['a field has another type', { size: 'big' }, 'spec.size: Invalid input: expected number, received string'],
    [
      'a field of a list is missing',
      { list: [{ name: 'a' }, {}] },
      'spec.list[1].name: Invalid input: expected string, received undefined',
    ],
    [
      'two fields are wrong',
      { size: 'big', list: 1 },
      'spec.list: Invalid input: expected array, received number; spec.size: Invalid input: expected number, received string',
    ],
  ];
  test.each(invalid)('S1 names the field as the user typed it when %s', (_name, spec, fault) => {
    expect(readSpec(objectWith(spec), Spec)).toEqual({
      state: 'Invalid',
      why: `Cannot read Sample "a": ${fault}; correct the field`,
    });
  });

  test('names five faults at most', () => {
    const more = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, 'text']));
    const read = readSpec(objectWith({ more }), Spec);
    expect(read.state === 'Invalid' ? read.why.match(/spec\.more\.\w/g) : []).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => `spec.more.${name}`),
    );
  });
});
