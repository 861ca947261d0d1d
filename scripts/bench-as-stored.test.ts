import { expect, test } from 'vitest';
import { readString } from '../domain/kubernetes/object.ts';
import { restoreRendered } from '../domain/kubernetes/owned-fields.ts';
import { asStored, fieldsOf } from './bench-as-stored.ts';
import { readGoldenCase } from './bench-scene.ts';

test('fieldsOf names fields, keyed items and whole lists as the API server does when an object is applied', () => {
  const spec = { args: ['--a'], empty: {}, none: undefined, ports: [{ name: 'http', port: 80 }], size: 1 };
  expect(fieldsOf({ spec })).toEqual({
    'f:spec': {
      'f:args': {},
      'f:empty': {},
      'f:ports': { 'k:{"name":"http"}': { '.': {}, 'f:name': {}, 'f:port': {} } },
      'f:size': {},
    },
  });
});

const { observed } = readGoldenCase('replica/7-engine-ready');

test('there are objects to store', () => {
  expect(observed.length).toBeGreaterThanOrEqual(5);
});

test.each(observed.map((object) => [object.kind, object] as const))(
  'asStored says of a %s that core owns all but its status',
  (_kind, object) => {
    expect(restoreRendered(asStored(object))).toEqual(restoreRendered(object));
  },
);

test('asStored gives the status to its controller when there is one', () => {
  const [stored] = observed.filter(({ kind }) => kind === 'Deployment').map((object) => asStored(object));
  const managers = stored?.metadata.managedFields?.map((entry) => [readString(entry, ['subresource']), entry.manager]);
  expect(managers).toEqual([
    [undefined, expect.stringMatching(/^apiextensions\.crossplane\.io\/composed\/[0-9a-f]{64}$/)],
    ['status', 'controller'],
  ]);
});
