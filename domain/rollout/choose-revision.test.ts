import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { chooseRevision, type RevisionQuestion } from './choose-revision.ts';
import type { RevisionObjects } from './revision-objects.ts';

const labels = { 'modelberth.dev/replica': 'chat-llama-0' };

/** The objects of a revision as some version of Modelberth renders them. */
function render(revision: string, version = 'now'): RevisionObjects {
  const metadata = { name: `llama-0-${revision}`, labels: { ...labels, 'modelberth.dev/revision': revision } };
  return {
    [`claim-${revision}`]: {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaimTemplate',
      metadata,
      spec: { version },
    },
    'workload-engine': {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...metadata, name: 'llama-0' },
      spec: { version },
    },
  };
}

/** A ControllerRevision as the API server returns it. */
function stored(revision: string, number: number, objects: unknown = render(revision, 'before')): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `llama-0-${revision}`,
      uid: 'u-1',
      labels: { ...labels, 'modelberth.dev/revision': revision, 'crossplane.io/composite': 'llama-0' },
    },
    revision: number,
    data: { apiVersion: 'modelberth.dev/v1alpha1', kind: 'RenderedRevision', objects },
  };
}

function claim(revision: string): KubernetesObject {
  return render(revision)[`claim-${revision}`] as unknown as KubernetesObject;
}

interface Row {
  readonly revision: string;
  /** Revisions that are stored, oldest first. */
  readonly stored?: readonly string[];
  readonly claims?: readonly string[];
  readonly used?: readonly string[] | undefined;
}

function question(row: Row): RevisionQuestion {
  const { revision, stored: known = [], claims = [] } = row;
  const used = 'used' in row ? row.used : [];
  return {
    replica: 'llama-0',
    labels,
    target: revision,
    memory: new Map(),
    rendered: { revision, objects: render(revision) },
    revisions: new Map(known.map((name, index) => [`revision-${name}`, stored(name, index + 1)])),
    workloads: new Map(),
    claims: new Map(claims.map((name) => [`claim-${name}`, claim(name)])),
    usedRevisions: used === undefined ? undefined : new Set(used),
  };
}

function objectsOf(asked: RevisionQuestion): RevisionObjects {
  return Object.fromEntries(chooseRevision(asked).objects) as unknown as RevisionObjects;
}

test('a revision is stored with everything that was rendered when it is new', () => {
  const chosen = chooseRevision(question({ revision: 'b', stored: ['a'] }));
  expect(chosen).toEqual({
    revisions: new Map([
      [
        'revision-b',
        {
          apiVersion: 'apps/v1',
          kind: 'ControllerRevision',
          metadata: { name: 'llama-0-b', labels: { ...labels, 'modelberth.dev/revision': 'b' } },
          revision: 2,
          data: { apiVersion: 'modelberth.dev/v1alpha1', kind: 'RenderedRevision', objects: render('b') },
        },
      ],
    ]),
    objects: new Map(Object.entries(render('b'))),
    dropped: new Map(),
  });
});

test('S1 the stored objects are emitted byte for byte when a new version renders the same revision differently', () => {
  const asked = question({ revision: 'a', stored: ['a'] });
  expect(asked.rendered.objects).not.toEqual(render('a', 'before'));
  expect(JSON.stringify(objectsOf(asked))).toBe(JSON.stringify(render('a', 'before')));
});

test('S1 the stored revision is emitted as it was applied, without what the API server and core added', () => {
  const { metadata, ...rest } = stored('a', 1);
  const { revisions } = chooseRevision(question({ revision: 'a', stored: ['a'] }));
  expect(revisions).toEqual(
    new Map([
      [
        'revision-a',
        { ...rest, metadata: { name: metadata.name, labels: { ...labels, 'modelberth.dev/revision': 'a' } } },
      ],
    ]),
  );
});

const unreadable: readonly [string, unknown][] = [
  ['there are none, as a version to come may store them elsewhere', null],
  ['they are empty', {}],
  ['they are a list', []],
  ['one of them is a text', { ...render('a', 'before'), 'workload-engine': 'kind: Deployment' }],
];

test.each(unreadable)(
  'S1 nothing is rendered anew over what runs when the stored objects cannot be read: %s',
  (_name, objects) => {
    const asked = question({ revision: 'a' });
    const revisions = new Map([['revision-a', stored('a', 1, objects)]]);
    expect(objectsOf({ ...asked, revisions })).toEqual({});
  },
);

test('S1 nothing is rendered over what runs instead of a failed revision when it is stored no more', () => {
  const asked = { ...question({ revision: 'b', stored: ['b'], claims: ['a', 'b'], used: ['a'] }), target: 'a' };
  const workloads = new Map([['workload-engine', render('a')['workload-engine'] as unknown as KubernetesObject]]);
  const { objects, dropped } = chooseRevision({ ...asked, workloads });
  expect([Object.fromEntries(objects), [...dropped.keys()]]).toEqual([{}, ['claim-b']]);
});

const dropping: readonly [string, Row, readonly string[]][] = [
  ['there are no more than are kept', { revision: 'c', stored: ['a', 'b', 'c'] }, []],
  ['there is one more than is kept', { revision: 'd', stored: ['a', 'b', 'c', 'd'] }, ['revision-a']],
  ['the current one is new', { revision: 'd', stored: ['a', 'b', 'c'] }, ['revision-a']],
  ['the claim went back to an old one', { revision: 'a', stored: ['a', 'b', 'c', 'd'] }, ['revision-b']],
  ['a pod still runs the oldest', { revision: 'd', stored: ['a', 'b', 'c', 'd'], used: ['a'] }, []],
  ['S1 pods are not observed', { revision: 'd', stored: ['a', 'b', 'c', 'd'], claims: ['a'], used: undefined }, []],
  [
    'no pod uses an old claim template',
    { revision: 'b', stored: ['a', 'b'], claims: ['a', 'b'], used: ['b'] },
    ['claim-a'],
  ],
  [
    'a pod still uses an old claim template',
    { revision: 'b', stored: ['a', 'b'], claims: ['a', 'b'], used: ['a', 'b'] },
    [],
  ],
  ['no pod is there and the claim template is the current one', { revision: 'b', stored: ['b'], claims: ['b'] }, []],
];

test.each(dropping)('chooseRevision drops only what is proven unused when %s', (_name, row, expected) => {
  expect([...chooseRevision(question(row)).dropped.keys()]).toEqual(expected);
});

test('S1 a claim template or revision that does not say its revision is never dropped', () => {
  const bare = (object: KubernetesObject): KubernetesObject => ({
    ...object,
    metadata: { name: object.metadata.name ?? '' },
  });
  const asked = question({ revision: 'e', stored: ['a', 'b', 'c', 'd', 'e'], claims: ['a'] });
  const { dropped } = chooseRevision({
    ...asked,
    revisions: new Map([...asked.revisions].map(([key, object]) => [key, bare(object)])),
    claims: new Map([...asked.claims].map(([key, object]) => [key, bare(object)])),
  });
  expect(dropped).toEqual(new Map());
});

const someNames = fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']);
const someRow = fc.record({
  revision: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  stored: someNames,
  claims: someNames,
  used: fc.option(someNames, { nil: undefined }),
});

test('S1 the current revision and two more are always kept, and nothing that a pod uses is dropped', () => {
  fc.assert(
    fc.property(someRow, (row) => {
      const asked = question(row);
      const { revisions, objects, dropped } = chooseRevision(asked);
      const kept = row.stored.filter((name) => !dropped.has(`revision-${name}`));
      expect([...revisions.keys()]).toEqual([`revision-${row.revision}`]);
      expect(kept.length).toBeGreaterThanOrEqual(
        Math.min(row.stored.length, row.stored.includes(row.revision) ? 3 : 2),
      );
      for (const key of dropped.keys()) {
        const name = key.replace(/^(revision|claim)-/, '');
        expect([name === row.revision, row.used?.includes(name) ?? true, objects.has(key)]).toEqual([
          false,
          false,
          false,
        ]);
      }
    }),
  );
});

test('S1 an upgrade that renders everything differently changes nothing of what a stored revision emits', () => {
  fc.assert(
    fc.property(someRow, fc.string(), (row, version) => {
      const asked = question({ ...row, stored: [...new Set([...row.stored, row.revision])] });
      const upgraded = { ...asked, rendered: { revision: row.revision, objects: render(row.revision, version) } };
      expect(JSON.stringify(objectsOf(upgraded))).toBe(JSON.stringify(objectsOf(asked)));
    }),
  );
});

test('the number of a new revision is above every other, so that age can be told', () => {
  fc.assert(
    fc.property(someRow, (row) => {
      const without = question({ ...row, stored: row.stored.filter((name) => name !== row.revision) });
      const number = chooseRevision(without).revisions.get(`revision-${row.revision}`)?.revision;
      expect(number).toBe(without.revisions.size + 1);
    }),
  );
});
