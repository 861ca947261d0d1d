import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { ResourceSelector } from '../../functions/compose.ts';
import { compareText, findObjects, identityOf, toWorld } from './world.ts';

function object(kind: string, name: string, namespace?: string, labels?: Record<string, string>): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...(labels === undefined ? {} : { labels }) },
  };
}

const world = toWorld([
  object('Pod', 'b', 'chat', { app: 'llama' }),
  object('Pod', 'a', 'chat', { app: 'llama', track: 'new' }),
  object('Pod', 'a', 'batch', { app: 'llama' }),
  object('Pod', 'c', 'chat'),
  object('Node', 'a'),
]);

/** As core selects (crossplane v2.4.0 internal/xfn/required_resources.go, read 2026-12-01). */
describe('findObjects finds', () => {
  const rows: readonly [string, Partial<ResourceSelector>, readonly string[]][] = [
    ['one by name and namespace', { kind: 'Pod', matchName: 'a', namespace: 'chat' }, ['chat/a']],
    ['none by name in another namespace', { kind: 'Pod', matchName: 'c', namespace: 'batch' }, []],
    ['none by name without the namespace that it has', { kind: 'Pod', matchName: 'c' }, []],
    ['one of the whole cluster by name', { kind: 'Node', matchName: 'a' }, ['/a']],
    [
      'those with every label, in every namespace, sorted',
      { kind: 'Pod', matchLabels: { app: 'llama' } },
      ['batch/a', 'chat/a', 'chat/b'],
    ],
    [
      'those with every label in one namespace',
      { kind: 'Pod', matchLabels: { app: 'llama' }, namespace: 'chat' },
      ['chat/a', 'chat/b'],
    ],
    ['only those with all labels', { kind: 'Pod', matchLabels: { app: 'llama', track: 'new' } }, ['chat/a']],
    [
      'all of a namespace by no label',
      { kind: 'Pod', matchLabels: {}, namespace: 'chat' },
      ['chat/a', 'chat/b', 'chat/c'],
    ],
    ['all of a kind without any match', { kind: 'Pod' }, ['batch/a', 'chat/a', 'chat/b', 'chat/c']],
    ['none of another version', { apiVersion: 'v2', kind: 'Pod' }, []],
    ['none of another kind', { kind: 'Service' }, []],
  ];
  test.each(rows)('%s', (_name, selector, expected) => {
    const found = findObjects(world, { apiVersion: 'v1', kind: 'Pod', ...selector });
    expect(found.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)).toEqual(expected);
  });
});

test('a later object replaces an earlier one of the same identity', () => {
  const later = object('Node', 'a', undefined, { new: 'yes' });
  expect([...toWorld([object('Node', 'a'), later]).values()]).toEqual([later]);
  expect(identityOf(later)).toBe('v1|Node||a');
});

test('texts are compared by their code points, as Go does', () => {
  expect(['b', 'a', 'B', 'a'].sort(compareText)).toEqual(['B', 'a', 'a', 'b']);
});
