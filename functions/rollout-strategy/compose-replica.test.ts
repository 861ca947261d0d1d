import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { type ComposeParts, composeRequest, helloReplica } from '../../test/compose-request.ts';
import type { Decision } from '../compose.ts';
import { writeHandOff } from '../hand-off.ts';
import { engineEntry } from '../hand-offs.ts';
import { composeReplica } from './compose-replica.ts';

const requirements = {
  resources: {
    cluster: { apiVersion: 'modelberth.dev/v1alpha1', kind: 'InferenceCluster', matchName: 'europe' },
    pods: {
      apiVersion: 'v1',
      kind: 'Pod',
      matchLabels: { 'modelberth.dev/replica': 'chat.llama-0' },
      namespace: 'chat',
    },
  },
};

const labelsOf = (revision: string) => ({ 'modelberth.dev/revision': revision });

function workload(revision: string, image: string): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'llama-0', labels: labelsOf(revision) },
    spec: { replicas: 1, image },
  };
}

function claim(revision: string): KubernetesObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: `llama-0-${revision}`, labels: labelsOf(revision) },
    spec: {},
  };
}

function revisionObject(revision: string, number: number, image: string): KubernetesObject {
  const objects = { [`claim-${revision}`]: claim(revision), 'workload-engine': workload(revision, image) };
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name: `llama-0-${revision}`, labels: labelsOf(revision) },
    revision: number,
    data: { apiVersion: 'modelberth.dev/v1alpha1', kind: 'RenderedRevision', objects },
  };
}

function pod(revision: string, status: object = {}): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'llama-0-x', labels: labelsOf(revision) }, status };
}

function contextOf(revision: string | undefined, image = 'engine:1'): Record<string, unknown> {
  const objects = {
    [`claim-${revision}`]: { ...claim(revision ?? '') },
    'workload-engine': { ...workload(revision ?? '', image) },
  };
  const value = revision === undefined ? {} : { rendered: { revision, objects, strategy: 'strategy Recreate' } };
  const written = writeHandOff(engineEntry, value);
  return { [written.key]: written.value };
}

function decide(parts: Partial<ComposeParts>): Decision {
  const outcome = composeReplica(
    composeRequest({ xr: helloReplica, required: { pods: [] }, context: contextOf('a'), ...parts }),
  );
  if ('frozen' in outcome) throw new Error(`frozen: ${outcome.conditions[0]?.message}`);
  return outcome;
}

function conditionsOf({ conditions }: Decision): Record<string, string> {
  return Object.fromEntries(conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]));
}

test('S1 the rollout of a replica holds everything until its pods have been fetched', () => {
  expect(composeReplica(composeRequest({ xr: helloReplica, context: contextOf('a') }))).toEqual({
    frozen: true,
    requirements,
    conditions: [
      {
        type: 'RolledOut',
        status: 'Unknown',
        reason: 'WaitingForRequired',
        message: 'Cannot decide before the pods of the replica have been fetched; Crossplane fetches them next',
      },
    ],
  });
});

describe('S1 without a rendering nothing is composed or dropped', () => {
  const observed = {
    'workload-engine': workload('a', 'engine:1'),
    'revision-a': revisionObject('a', 1, 'engine:1'),
    'claim-b': claim('b'),
  };
  const rows: readonly [string, Partial<ComposeParts>, string][] = [
    ['where the hand-off is missing', { context: {}, observed }, 'Unknown HandOffMissing'],
    [
      'where the hand-off is of another version',
      { context: { 'modelberth.dev/engine': { version: 7, value: {} } }, observed },
      'Unknown HandOffMissing',
    ],
    [
      'where nothing was rendered, and something runs',
      { context: contextOf(undefined), observed },
      'Unknown NotPlaced',
    ],
    ['where nothing was rendered, and nothing runs', { context: contextOf(undefined) }, 'False NotPlaced'],
  ];
  test.each(rows)('%s', (_name, parts, rolledOut) => {
    const decision = decide({ ...parts, xr: { ...helloReplica, status: { revision: { current: 'a' } } } });
    expect({ composed: decision.composed.size, dropped: decision.dropped?.size ?? 0, status: decision.status }).toEqual(
      {
        composed: 0,
        dropped: 0,
        status: { revision: { current: 'a' } },
      },
    );
    expect(conditionsOf(decision).RolledOut).toBe(rolledOut);
  });
});

describe('the revision that runs', () => {
  test('is stored the first time it is rendered, and emitted with its objects', () => {
    const decision = decide({});
    expect([...decision.composed].map(([key, { object }]) => [key, object])).toEqual([
      ['revision-a', expect.objectContaining({ kind: 'ControllerRevision', revision: 1 })],
      ['claim-a', claim('a')],
      ['workload-engine', workload('a', 'engine:1')],
    ]);
  });

  test('S5 is not called ready in the pass that replaces one that answers', () => {
    const answers = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
    const observed = { 'workload-engine': { ...workload('a', 'engine:1'), status: answers } };
    const row = (context: Record<string, unknown>) => {
      const { ready, state, why } = decide({ observed, context }).composed.get('workload-engine') ?? {};
      return { ready, state, why };
    };
    expect(row(contextOf('a'))).toEqual({ ready: true, state: 'Ready', why: 'answers on revision a' });
    expect(row(contextOf('b'))).toEqual({ ready: false, state: 'Waiting', why: 'revision b replaces a' });
  });

  test('S1 is emitted as it was stored, whatever this version would render for it', () => {
    const observed = { 'revision-a': revisionObject('a', 4, 'engine:1') };
    const decision = decide({ observed, context: contextOf('a', 'rendered by a newer version') });
    expect(decision.composed.get('workload-engine')?.object).toEqual(workload('a', 'engine:1'));
    expect(decision.composed.get('revision-a')?.object).toEqual(revisionObject('a', 4, 'engine:1'));
  });

  test('gets the number after the highest', () => {
    const observed = {
      'revision-b': revisionObject('b', 7, 'engine:1'),
      'revision-c': revisionObject('c', 3, 'engine:1'),
    };
    expect(decide({ observed }).composed.get('revision-a')?.object).toMatchObject({ revision: 8 });
  });
});

describe('S1 an old claim template or revision goes only when', () => {
  const observed = {
    'workload-engine': workload('a', 'engine:1'),
    ...Object.fromEntries(
      ['b', 'c', 'd', 'e'].map((name, index) => [`revision-${name}`, revisionObject(name, 9 - index, 'engine:1')]),
    ),
    'revision-a': revisionObject('a', 10, 'engine:1'),
    'claim-a': claim('a'),
    'claim-b': claim('b'),
  };
  const dropped = (parts: Partial<ComposeParts>) => [...(decide(parts).dropped ?? new Map()).keys()].sort();

  test('no pod uses it, and two older revisions are kept', () => {
    expect(dropped({ observed, required: { pods: [pod('a')] } })).toEqual(['claim-b', 'revision-d', 'revision-e']);
  });

  test('no pod of its revision is left', () => {
    expect(dropped({ observed, required: { pods: [pod('b'), pod('e')] } })).toEqual(['revision-d']);
  });

  test('its revision is known from its labels', () => {
    const unlabelled = { ...claim('b'), metadata: { name: 'llama-0-b' } };
    expect(dropped({ observed: { ...observed, 'claim-b': unlabelled }, required: { pods: [] } })).toEqual([
      'revision-d',
      'revision-e',
    ]);
  });

  test('the observed workload is of another revision: core deletes before it applies the edit', () => {
    const before = { ...observed, 'workload-engine': workload('b', 'engine:1') };
    expect(dropped({ observed: before, required: { pods: [] } })).toEqual(['revision-d', 'revision-e']);
  });

  test('every pod says its revision, so that a foreign one proves nothing', () => {
    const foreign = { ...pod('a'), metadata: { name: 'foreign' } };
    expect(dropped({ observed, required: { pods: [foreign] } })).toEqual([]);
  });
});

describe('S5 the conditions of a replica follow what is observed', () => {
  const ready = { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 1 };
  const failed = {
    containerStatuses: [
      { name: 'engine', lastState: { terminated: { exitCode: 1, reason: 'OOMKilled', message: 'out of memory' } } },
    ],
  };
  const withStatus = (status: unknown, revision = 'a') => ({
    'workload-engine': { ...workload(revision, 'engine:1'), status },
  });
  const rows: readonly [string, Partial<ComposeParts>, Record<string, string>][] = [
    ['nothing runs', {}, { RolledOut: 'False RollingOut', EngineReady: 'False NotPlaced' }],
    [
      'the workload has no status yet',
      { observed: withStatus(undefined) },
      { RolledOut: 'Unknown NotObserved', EngineReady: 'Unknown NotObserved' },
    ],
    [
      'the status of the workload is text',
      { observed: withStatus('text') },
      { RolledOut: 'Unknown NotObserved', EngineReady: 'Unknown NotObserved' },
    ],
    [
      'the engine starts',
      { observed: withStatus({ updatedReplicas: 1 }), required: { pods: [pod('a')] } },
      { RolledOut: 'True RevisionLive', EngineReady: 'False EngineStarting' },
    ],
    [
      'the engine answers',
      { observed: withStatus(ready) },
      { RolledOut: 'True RevisionLive', EngineReady: 'True EngineAnswers' },
    ],
    [
      'an older revision runs',
      { observed: withStatus(ready, 'z') },
      { RolledOut: 'False RollingOut', EngineReady: 'True EngineAnswers' },
    ],
    [
      'L38 the engine has ended with an error',
      { observed: withStatus({ updatedReplicas: 1 }), required: { pods: [pod('a', failed)] } },
      { RolledOut: 'True RevisionLive', EngineReady: 'False EngineFailed' },
    ],
  ];
  test.each(rows)('when %s', (_name, parts, expected) => {
    const decision = decide(parts);
    expect(conditionsOf(decision)).toEqual(expected);
    expect(decision.ready).toBe(expected.EngineReady === 'True EngineAnswers');
  });

  test('L38 the last words of an engine that ended are in the status', () => {
    const { status } = decide({ observed: withStatus({}), required: { pods: [pod('a', failed)] } });
    expect(status.lastFailure).toBe(
      'Container "engine" of pod "llama-0-x" ended with exit code 1 (OOMKilled): out of memory',
    );
  });

  test('S5 the new revision is not said to be live while only pods of an older one run', () => {
    const decision = decide({
      observed: withStatus({ observedGeneration: 1, updatedReplicas: 0, availableReplicas: 0 }),
      required: { pods: [pod('z')] },
    });
    expect(conditionsOf(decision).RolledOut).toBe('False RollingOut');
  });
});
