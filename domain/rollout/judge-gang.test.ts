import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { type GangVerdict, judgeGang } from './judge-gang.ts';
import { type RevisionMemory, toAnnotations } from './revision-memory.ts';

const now = new Date('2026-12-01T12:00:00Z');
const at = '2026-12-01T12:00:00Z';
const nineMinutesAgo = '2026-12-01T11:51:00Z';
const tenMinutesAgo = '2026-12-01T11:50:00Z';
const live = 'abcd1234';
const words = '0/2 nodes are available: 2 cannot allocate all claims.';

const workload: KubernetesObject = {
  apiVersion: 'leaderworkerset.x-k8s.io/v1',
  kind: 'LeaderWorkerSet',
  metadata: { name: 'mimo-0-gang', labels: { 'modelberth.dev/revision': live } },
  spec: { leaderWorkerTemplate: { size: 2 } },
};

type PodState = 'Waiting' | 'Loading' | 'Ready' | 'New' | 'Leaving' | 'Old';

function pod(state: PodState, name = 'p'): KubernetesObject {
  const refused = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: words };
  const conditions = {
    Waiting: [refused],
    Loading: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: 'False' },
    ],
    Ready: [{ type: 'Ready', status: 'True' }],
    New: [],
    Leaving: [{ type: 'Ready', status: 'False' }],
    Old: [{ type: 'Ready', status: 'False' }],
  }[state];
  const labels = { 'modelberth.dev/revision': state === 'Old' ? 'before12' : live };
  const leaving = state === 'Leaving' ? { deletionTimestamp: at } : {};
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels, ...leaving }, status: { conditions } };
}

function revision(hash: string, memory: RevisionMemory): readonly [string, KubernetesObject] {
  const metadata = { name: `mimo-0-${hash}`, annotations: toAnnotations(memory) };
  return [hash, { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata }];
}

interface Row {
  readonly memory?: RevisionMemory;
  readonly pods: readonly PodState[];
  readonly deadlineMinutes?: number;
}

function judge({ memory = {}, pods, deadlineMinutes = 60 }: Row): GangVerdict {
  const seen = pods.map((state, index) => pod(state, `mimo-0-gang-0-${index}`));
  return judgeGang({ workload, pods: seen, revisions: new Map([revision(live, memory)]), deadlineMinutes, now });
}

const because =
  '1 of 2 pods have a node after 10 minutes: No node takes pod "mimo-0-gang-0-1" (Unschedulable): 0/2 nodes are available: 2 cannot allocate all claims.';
const nothing = { memory: new Map(), isReleased: false };
function written(memory: RevisionMemory): Pick<GangVerdict, 'memory'> {
  return { memory: new Map([[live, memory]]) };
}

const table: readonly [string, Row, GangVerdict][] = [
  ['all its pods have nodes', { pods: ['Loading', 'Loading'] }, nothing],
  [
    'its time starts with the first look',
    { pods: ['Loading', 'Waiting'] },
    { ...nothing, ...written({ formingSince: at }), wakeInSeconds: 600 },
  ],
  [
    'no pod is seen, its time starts too',
    { pods: [] },
    { ...nothing, ...written({ formingSince: at }), wakeInSeconds: 600 },
  ],
  [
    'its time runs',
    { memory: { formingSince: nineMinutesAgo }, pods: ['Loading', 'Waiting'] },
    { ...nothing, wakeInSeconds: 60 },
  ],
  [
    'its time is over and a leader holds an accelerator while its worker waits: all go',
    { memory: { formingSince: tenMinutesAgo }, pods: ['Loading', 'Waiting'] },
    { isReleased: true, because, ...written({ releasedAt: at, notFormedBecause: because }) },
  ],
  [
    'its time is over and none of its pods holds anything: there is nothing to give back',
    { memory: { formingSince: tenMinutesAgo }, pods: ['Waiting', 'Waiting'] },
    { ...nothing, because: because.replace('1 of', '0 of').replace('0-1"', '0-0"') },
  ],
  [
    'S1 its time is over and its worker is not seen, which proves nothing: all stay',
    { memory: { formingSince: tenMinutesAgo }, pods: ['Loading'] },
    { ...nothing, because: '1 of 2 pods have a node after 10 minutes: 1 pods exist' },
  ],
  [
    'S5 its time is over and no pod was ever seen: it is Unknown no longer',
    { memory: { formingSince: tenMinutesAgo }, pods: [] },
    { ...nothing, because: '0 of 2 pods have a node after 10 minutes: 0 pods exist' },
  ],
  [
    'the deadline of the author is shorter',
    { memory: { formingSince: nineMinutesAgo }, pods: [], deadlineMinutes: 5 },
    { ...nothing, because: '0 of 2 pods have a node after 5 minutes: 0 pods exist' },
  ],
  [
    'it was told to go and a pod is still there',
    {
      memory: { formingSince: tenMinutesAgo, releasedAt: nineMinutesAgo, notFormedBecause: because },
      pods: ['Leaving'],
    },
    { memory: new Map(), isReleased: true, because },
  ],
  [
    'it was told to go and the last pod is gone: it comes back, and its time starts again',
    { memory: { formingSince: tenMinutesAgo, releasedAt: nineMinutesAgo, notFormedBecause: because }, pods: [] },
    { isReleased: false, because, ...written({ formingSince: at, releasedAt: '' }), wakeInSeconds: 600 },
  ],
  [
    'it forms after all: everything is forgotten',
    { memory: { formingSince: nineMinutesAgo, notFormedBecause: because }, pods: ['Loading', 'New'] },
    { ...nothing, ...written({ formingSince: '', notFormedBecause: '' }) },
  ],
  [
    'S1 its leader answers, whatever is seen of its worker',
    { memory: { formingSince: tenMinutesAgo }, pods: ['Ready', 'Waiting'] },
    { ...nothing, ...written({ formingSince: '' }) },
  ],
  [
    'a pod of the revision before drains',
    { memory: { formingSince: tenMinutesAgo }, pods: ['Old', 'Waiting'] },
    nothing,
  ],
  ['a pod of its own leaves', { memory: { formingSince: tenMinutesAgo }, pods: ['Leaving', 'Waiting'] }, nothing],
];

test.each(table)(
  'judgeGang gives a gang time, says why it has not formed, and frees what it holds: %s',
  (_name, row, expected) => {
    expect(judge(row)).toEqual(expected);
  },
);

test('judgeGang forgets what it knew of a revision that runs no more', () => {
  const revisions = new Map([revision(live, {}), revision('before12', { formingSince: tenMinutesAgo, goodAt: at })]);
  const pods = [pod('Loading', 'a'), pod('Loading', 'b')];
  expect(judgeGang({ workload, pods, revisions, deadlineMinutes: 60, now })).toEqual({
    memory: new Map([['before12', { formingSince: '' }]]),
    isReleased: false,
  });
});

test('judgeGang says nothing of a workload on one node', () => {
  const deployment = { ...workload, kind: 'Deployment', spec: { replicas: 1 } };
  expect(
    judgeGang({ workload: deployment, pods: [], revisions: new Map([revision(live, {})]), deadlineMinutes: 60, now }),
  ).toEqual(nothing);
});

const someMemory: fc.Arbitrary<RevisionMemory> = fc.record(
  {
    formingSince: fc.constantFrom(at, nineMinutesAgo, tenMinutesAgo, '2020-01-01T00:00:00Z'),
    releasedAt: fc.constantFrom(at, nineMinutesAgo),
    notFormedBecause: fc.constant(because),
  },
  { requiredKeys: [] },
);
const somePods = fc.array(fc.constantFrom<PodState[]>('Waiting', 'Loading', 'Ready', 'New', 'Leaving', 'Old'), {
  maxLength: 4,
});

test('S1 judgeGang never lets go of a gang that answers, nor of one of which no pod was refused', () => {
  fc.assert(
    fc.property(someMemory, somePods, (memory, pods) => {
      const { isReleased } = judge({ memory, pods });
      const isProven = memory.releasedAt !== undefined || pods.includes('Waiting');
      expect(isReleased && (pods.includes('Ready') || !isProven)).toBe(false);
    }),
  );
});

test('judgeGang lets go at most once until the last pod is gone, and then makes the pods again', () => {
  fc.assert(
    fc.property(somePods, (pods) => {
      const released: RevisionMemory = {
        formingSince: tenMinutesAgo,
        releasedAt: nineMinutesAgo,
        notFormedBecause: because,
      };
      const verdict = judge({ memory: released, pods });
      expect(verdict.memory.get(live)?.releasedAt ?? '').toBe('');
      if (pods.length === 0) expect(verdict.isReleased).toBe(false);
    }),
  );
});
