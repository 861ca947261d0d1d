import { describe, expect, test } from 'vitest';
import { findUnknownFields } from './find-unknown-fields.ts';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        model: {
          type: 'object',
          properties: { name: { type: 'string' }, hubTokenSecret: { type: 'object', properties: {} } },
        },
        load: {
          type: 'object',
          properties: { contextTokens: { type: 'integer' }, concurrentRequests: { type: 'integer' } },
        },
        routes: { type: 'array', items: { type: 'object', properties: { deploymentName: { type: 'string' } } } },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        replicas: { type: 'integer' },
      },
    },
  },
};

describe('findUnknownFields', () => {
  const rows: readonly [string, unknown, readonly string[]][] = [
    ['finds nothing in a claim that only has known fields', { model: { name: 'a' }, replicas: 1 }, []],
    ['finds nothing in an empty claim', {}, []],
    ['suggests the field that was meant', { replcas: 1 }, ['spec.replcas is no field; did you mean "replicas"?']],
    [
      'names the whole path',
      { load: { contexTokens: 1 } },
      ['spec.load.contexTokens is no field; did you mean "contextTokens"?'],
    ],
    [
      'names the item of a list',
      { routes: [{ deploymentName: 'a' }, { deployment: 'b' }] },
      ['spec.routes[1].deployment is no field; did you mean "deploymentName"?'],
    ],
    [
      'lists what is known where nothing is near',
      { load: { users: 15 } },
      ['spec.load.users is no field; known are concurrentRequests, contextTokens'],
    ],
    [
      'suggests nothing for a short word that shares no letters with what is known',
      { gpus: 1 },
      ['spec.gpus is no field; known are labels, load, model, replicas, routes'],
    ],
    [
      'finds every unknown field',
      { a1b2c3d4e5f6: 1, load: { contextToken: 1 } },
      [
        'spec.a1b2c3d4e5f6 is no field; known are labels, load, model, replicas, routes',
        'spec.load.contextToken is no field; did you mean "contextTokens"?',
      ],
    ],
    ['takes any key of a map', { labels: { anything: 'a' } }, []],
    ['says nothing of a value of the wrong type, which the reader names', { model: 'text', routes: { a: 1 } }, []],
  ];
  test.each(rows)('%s', (_name, spec, expected) => {
    expect(findUnknownFields(schema, { spec }, '')).toEqual(expected);
  });

  test('finds a misspelt spec', () => {
    expect(findUnknownFields(schema, { sepc: {} }, '')).toEqual(['sepc is no field; did you mean "spec"?']);
  });
});
