import { expect, test } from 'vitest';
import { isKubernetesObject, isRecord, readList, readNumber, readPath, readString } from './object.ts';

const objects: readonly [string, unknown, boolean][] = [
  ['it has a kind and metadata', { apiVersion: 'v1', kind: 'Node', metadata: {} }, true],
  ['it has no kind', { apiVersion: 'v1', metadata: {} }, false],
  ['it has no apiVersion', { kind: 'Node', metadata: {} }, false],
  ['its kind is a number', { apiVersion: 'v1', kind: 1, metadata: {} }, false],
  ['its metadata is a list', { apiVersion: 'v1', kind: 'Node', metadata: [] }, false],
  ['it has no metadata', { apiVersion: 'v1', kind: 'Node' }, false],
  ['it is null', null, false],
  ['it is a list', [], false],
  ['it is a text', 'Node', false],
];

test.each(objects)('isKubernetesObject tells whether a value can be read when %s', (_name, value, expected) => {
  expect(isKubernetesObject(value)).toBe(expected);
});

test('isRecord tells a map from a list, null and a scalar', () => {
  expect([{}, [], null, undefined, 'a', 1].map(isRecord)).toEqual([true, false, false, false, false, false]);
});

const sample = { spec: { size: 0, name: '', list: [1], nothing: null } };

const paths: readonly [string, readonly string[], unknown][] = [
  ['a value is zero', ['spec', 'size'], 0],
  ['a value is an empty text', ['spec', 'name'], ''],
  ['a value is null', ['spec', 'nothing'], null],
  ['a part is missing', ['status', 'size'], undefined],
  ['a part is a scalar', ['spec', 'size', 'more'], undefined],
  ['a part is a list', ['spec', 'list', '0'], undefined],
  ['a part is what every object inherits', ['spec', 'constructor'], undefined],
  ['the path is empty', [], sample],
];

test.each(paths)('readPath reads a value or undefined when %s', (_name, path, expected) => {
  expect(readPath(sample, path)).toEqual(expected);
});

test('readString, readNumber and readList read only their own type', () => {
  const fields = ['size', 'name', 'list', 'nothing', 'absent'].map((field) => ['spec', field]);
  expect(fields.map((path) => [readString(sample, path), readNumber(sample, path), readList(sample, path)])).toEqual([
    [undefined, 0, []],
    ['', undefined, []],
    [undefined, undefined, [1]],
    [undefined, undefined, []],
    [undefined, undefined, []],
  ]);
});
