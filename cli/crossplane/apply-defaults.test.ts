import { describe, expect, test } from 'vitest';
import { applyDefaults } from './apply-defaults.ts';

const one = { type: 'integer', default: 1 };
const objectOf = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const listOf = (items: unknown) => objectOf({ l: { type: 'array', items } });

/**
 * Schema, value and what Kubernetes makes of them. The last column is the output of apiextensions-apiserver 0.35.1
 * (schema/defaulting: PruneNonNullableNullsWithoutDefaults, then Default), run with these rows on 2026-12-01.
 */
const rows: readonly [string, Record<string, unknown>, unknown, unknown][] = [
  ['fills a field that is absent', objectOf({ a: one }), {}, { a: 1 }],
  ['keeps a field that is there', objectOf({ a: one }), { a: 2 }, { a: 2 }],
  [
    'keeps zero, empty text, false and an empty list',
    objectOf({
      a: one,
      b: { type: 'string', default: 'x' },
      c: { type: 'boolean', default: true },
      d: { type: 'array', items: { type: 'string' }, default: ['x'] },
    }),
    { a: 0, b: '', c: false, d: [] },
    { a: 0, b: '', c: false, d: [] },
  ],
  ['makes no parent that has no default of its own', objectOf({ p: objectOf({ a: one }) }), {}, {}],
  ['fills in a parent that is there', objectOf({ p: objectOf({ a: one }) }), { p: {} }, { p: { a: 1 } }],
  ['fills in a parent that it made', objectOf({ p: { ...objectOf({ a: one }), default: {} } }), {}, { p: { a: 1 } }],
  ['fills in every item of a list', listOf(objectOf({ a: one })), { l: [{}, { a: 3 }] }, { l: [{ a: 1 }, { a: 3 }] }],
  [
    'fills in lists of lists',
    listOf({ type: 'array', items: objectOf({ a: one }) }),
    { l: [[{}]] },
    { l: [[{ a: 1 }]] },
  ],
  [
    'fills in every value of a map',
    objectOf({ m: { type: 'object', additionalProperties: objectOf({ a: one }) } }),
    { m: { x: {}, y: { a: 2 } } },
    { m: { x: { a: 1 }, y: { a: 2 } } },
  ],
  ['takes null for absent where there is a default', objectOf({ a: one }), { a: null }, { a: 1 }],
  ['removes null where there is no default', objectOf({ a: { type: 'integer' } }), { a: null }, {}],
  ['keeps null where it is allowed', objectOf({ a: { ...one, nullable: true } }), { a: null }, { a: null }],
  ['takes null for absent in an item of a list', listOf(objectOf({ a: one })), { l: [{ a: null }] }, { l: [{ a: 1 }] }],
  ['leaves an item that is null', listOf(objectOf({ a: one })), { l: [null] }, { l: [null] }],
  ['leaves a field that the schema does not declare', objectOf({ a: one }), { z: 5 }, { a: 1, z: 5 }],
  ['leaves a value of the wrong type', objectOf({ p: objectOf({ a: one }) }), { p: 'text' }, { p: 'text' }],
];

describe('applyDefaults does as Kubernetes does and', () => {
  test.each(rows)('%s', (_name, schema, value, expected) => {
    const before = structuredClone(value);
    expect(applyDefaults(schema, value)).toEqual(expected);
    expect(value).toEqual(before);
  });

  test('gives each object a default of its own, which nobody else can change', () => {
    const schema = objectOf({ l: { type: 'array', items: { type: 'string' }, default: [] } });
    const first = applyDefaults(schema, {}) as { l: string[] };
    first.l.push('changed');
    expect(applyDefaults(schema, {})).toEqual({ l: [] });
  });
});
