import { describe, expect, test } from 'vitest';
import { findInactive, type InactiveField, inactiveFields } from './inactive-fields.ts';

const fields: readonly InactiveField[] = [
  { kind: 'ModelService', path: 'spec.retries', waitsFor: 'retries' },
  { kind: 'ModelService', path: 'spec.routes[].mirror', waitsFor: 'mirrors', anyway: [false] },
  { kind: 'ModelService', path: 'spec.affinity', waitsFor: 'affinity', anyway: [{ type: 'None' }] },
  { kind: 'InferenceGateway', path: 'spec.retries', waitsFor: 'retries' },
];

const table: readonly [string, unknown, readonly string[]][] = [
  ['no field is stated', {}, []],
  ['one is stated', { retries: 1 }, ['spec.retries']],
  ['one is stated with a value that is no', { retries: 0 }, ['spec.retries']],
  ['one is below a stated field', { retries: { attempts: 2 } }, ['spec.retries']],
  ['one is stated in the second entry of a list', { routes: [{}, { mirror: true }] }, ['spec.routes[].mirror']],
  ['one says what happens anyway', { routes: [{ mirror: false }], affinity: { type: 'None' } }, []],
  [
    'several are stated, in the order of their paths',
    { routes: [{ mirror: true }], retries: 1, affinity: { type: 'Caller' } },
    ['spec.affinity', 'spec.retries', 'spec.routes[].mirror'],
  ],
  ['a list is no list', { routes: 'all' }, []],
  ['the spec is text', 'unreadable', []],
];

describe('findInactive', () => {
  test.each(table)('names what does not act when %s', (_name, spec, paths) => {
    expect(findInactive({ kind: 'ModelService', spec }, fields).map(({ path }) => path)).toEqual(paths);
  });

  test('knows nothing of the fields of another kind', () => {
    expect(findInactive({ kind: 'ModelReplica', spec: { retries: 1 } }, fields)).toEqual([]);
  });
});

test('a field of a deployment that its replicas repeat does not act on them either', () => {
  const repeated = inactiveFields.filter(({ path }) => path.endsWith('.facts.precision'));
  expect(repeated.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'ModelDeployment spec.model.facts.precision',
    'ModelReplica spec.template.model.facts.precision',
  ]);
});
