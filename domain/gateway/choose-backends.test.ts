import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseBackends as chooseAll, maxBackends, type ReplicaSeen } from './choose-backends.ts';
import { findAnswer } from './find-answer.ts';
import type { DeploymentRoute } from './model-service-spec.ts';
import { defaultEndpoint, type Replica } from './replica-endpoint.ts';

type Row = Partial<Pick<Replica, 'deployment' | 'traffic' | 'engineReady' | 'isHeldBack'>> &
  Partial<Pick<ReplicaSeen, 'hasEndpoint' | 'hadWeight' | 'isElsewhere'>>;

function seen(name: string, row: Row): ReplicaSeen {
  const { deployment = 'llama', traffic = 'Serve', engineReady = 'True', hadWeight = false, isElsewhere = false } = row;
  const hasEndpoint = 'hasEndpoint' in row ? row.hasEndpoint : true;
  const replica: Replica = {
    name,
    deployment,
    generation: 1,
    clusterName: 'europe',
    traffic,
    engineReady,
    isHeldBack: row.isHeldBack ?? false,
    endpoint: undefined,
  };
  return { replica, endpoint: defaultEndpoint(name), hasEndpoint, hadWeight, isElsewhere };
}

const oneRoute = [{ deploymentName: 'llama', weight: 100, priority: 0 }];

function chooseBackends(routes: readonly DeploymentRoute[], replicas: readonly ReplicaSeen[]) {
  return chooseAll({ routes, seen: replicas, externals: [] });
}

const table: readonly [string, Readonly<Record<string, Row>>, Readonly<Record<string, number>>][] = [
  ['one replica is ready', { a: {} }, { a: 1 }],
  ['one of two engines is not ready', { a: {}, b: { engineReady: 'False' } }, { a: 1, b: 0 }],
  ['one of two replicas drains', { a: { traffic: 'Drain' }, b: {} }, { a: 0, b: 1 }],
  ['an engine has said nothing yet', { a: {}, b: { engineReady: 'Unknown' } }, { a: 1, b: 0 }],
  [
    'an engine that serves stops saying so but has an endpoint',
    { a: {}, b: { engineReady: 'Unknown', hadWeight: true } },
    { a: 1, b: 1 },
  ],
  [
    'an engine that serves stops saying so and endpoints are not fetched',
    { a: {}, b: { engineReady: 'Unknown', hadWeight: true, hasEndpoint: undefined } },
    { a: 1, b: 1 },
  ],
  [
    'an engine that had the last weight never was ready',
    { a: {}, b: { engineReady: 'Unknown', hadWeight: true, hasEndpoint: false } },
    { a: 1, b: 0 },
  ],
  ['L6 a new replica is tried', { a: {}, b: { isHeldBack: true } }, { a: 1, b: 0 }],
  [
    'S1 a replica that serves fails a case: it has an endpoint, so it was good before',
    { a: {}, b: { isHeldBack: true, hadWeight: true } },
    { a: 1, b: 1 },
  ],
  [
    'L6 the one that kept the last weight is tried, with a Service that selects no pod',
    { a: {}, b: { isHeldBack: true, hadWeight: true, hasEndpoint: false } },
    { a: 1, b: 0 },
  ],
  ['no engine is ready', { a: { engineReady: 'False' }, b: { engineReady: 'False' } }, { a: 0, b: 1 }],
  [
    'the last one drains and another may serve',
    { a: { engineReady: 'False' }, b: { traffic: 'Drain' } },
    { a: 1, b: 0 },
  ],
  ['L45 one of two replicas runs on another cluster', { a: {}, b: { isElsewhere: true } }, { a: 1, b: 0 }],
  [
    'the only one that is not ready is within reach',
    { a: { engineReady: 'False' }, b: { isElsewhere: true } },
    { a: 1, b: 0 },
  ],
  ['the only one drains', { a: { traffic: 'Drain' } }, { a: 1 }],
  ['a replica belongs to no route', { a: {}, b: { deployment: 'other' } }, { a: 1, b: 0 }],
];

test.each(table)('chooseBackends weighs replicas when %s', (_name, rows, expected) => {
  const replicas = Object.entries(rows).map(([name, row]) => seen(name, row));
  const { chosen, leftOut } = chooseBackends(oneRoute, replicas);
  expect(Object.fromEntries(chosen.map(({ replica, weight }) => [replica.name, weight]))).toEqual(expected);
  expect(leftOut).toEqual([]);
});

test('chooseBackends leaves out replicas without weight first when the rule is full', () => {
  const names = Array.from({ length: maxBackends + 1 }, (_unused, index) => `r-${String(index).padStart(3, '0')}`);
  const replicas = names.map((name) => seen(name, { engineReady: name === 'r-000' ? 'False' : 'True' }));
  const { chosen, leftOut } = chooseBackends(oneRoute, replicas);
  expect(leftOut).toEqual(['r-000']);
  expect(chosen.map(({ replica }) => replica.name)).toEqual(names.slice(1));
});

const someReplicas = fc
  .array(
    fc.record({
      deployment: fc.constantFrom('llama', 'qwen', 'other'),
      traffic: fc.constantFrom('Serve' as const, 'Drain' as const),
      engineReady: fc.constantFrom('True' as const, 'False' as const, 'Unknown' as const),
      hasEndpoint: fc.constantFrom(true, false, undefined),
      hadWeight: fc.boolean(),
    }),
    { maxLength: 140 },
  )
  .map((rows) => rows.map((row, index) => seen(`r${index}`, row)));
const routes = [
  { deploymentName: 'llama', weight: 90, priority: 0 },
  { deploymentName: 'qwen', weight: 10, priority: 0 },
];

test('chooseBackends never leaves all weights at 0, which Envoy answers with 500, and keeps within a rule', () => {
  fc.assert(
    fc.property(someReplicas, (replicas) => {
      const { chosen, leftOut } = chooseBackends(routes, replicas);
      expect(chosen.length).toBe(Math.min(replicas.length, maxBackends));
      expect(chosen.length + leftOut.length).toBe(replicas.length);
      expect(chosen.length === 0 || chosen.some(({ weight }) => weight > 0)).toBe(true);
    }),
  );
});

test('chooseBackends gives a replica that drains or is not ready no weight while another has some', () => {
  fc.assert(
    fc.property(someReplicas, (replicas) => {
      const carrying = chooseBackends(routes, replicas).chosen.filter(({ weight }) => weight > 0);
      const unfit = carrying.filter(({ replica }) => replica.traffic === 'Drain' || replica.engineReady === 'False');
      expect(unfit.length === 0 || carrying.length === 1).toBe(true);
    }),
  );
});

test('chooseBackends is the same whatever the order of the replicas (S3)', () => {
  fc.assert(
    fc.property(someReplicas, (replicas) => {
      expect(chooseBackends(routes, [...replicas].reverse())).toEqual(chooseBackends(routes, replicas));
    }),
  );
});

const evidence: readonly [string, readonly Row[], string][] = [
  ['a replica with weight has an endpoint', [{ hasEndpoint: true }, { hasEndpoint: undefined }], 'Replica'],
  ['only a replica without weight has one', [{ hasEndpoint: false }, { traffic: 'Drain' }], 'Nobody'],
  ['the endpoints are not fetched', [{ hasEndpoint: undefined }], 'Unknown'],
];

test.each(evidence)('findAnswer answers for the replicas with weight when %s', (_name, rows, expected) => {
  const choice = chooseBackends(
    oneRoute,
    rows.map((row, index) => seen(`r${index}`, row)),
  );
  expect(findAnswer(choice)).toBe(expected);
});
