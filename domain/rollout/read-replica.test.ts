import { expect, test } from 'vitest';
import type { KubernetesObject, ObjectMeta } from '../kubernetes/object.ts';
import type { Drain, ReplicaView } from './plan-replicas.ts';
import { conditionStatus, mayRouteTo, readReplica } from './read-replica.ts';

const now = new Date('2026-12-01T12:00:00Z');

interface Sample {
  readonly revision?: unknown;
  readonly spec?: unknown;
  readonly conditions?: unknown;
  readonly metadata?: ObjectMeta;
}

function replica({ spec = { index: 1 }, conditions, metadata, revision }: Sample): KubernetesObject {
  return {
    apiVersion: 'modelberth.dev/v1alpha1',
    kind: 'ModelReplica',
    metadata: { name: 'llama-1', generation: 4, ...metadata },
    spec,
    ...(conditions === undefined ? {} : { status: { conditions, revision } }),
  };
}

function service(endpoints: unknown, routes: unknown = [{ deploymentName: 'llama' }]): KubernetesObject {
  const metadata = { name: 'llama' };
  return {
    apiVersion: 'modelberth.dev/v1alpha1',
    kind: 'ModelService',
    metadata,
    spec: { routes },
    status: { endpoints },
  };
}

const serving: ReplicaView = {
  index: 1,
  authorHash: undefined,
  readiness: 'Unknown',
  rollout: 'Pending',
  traffic: 'Serve',
  drain: 'Done',
};

const views: readonly [string, Sample, Partial<ReplicaView>][] = [
  ['it says nothing yet', {}, {}],
  ['its engine answers', { conditions: [{ type: 'EngineReady', status: 'True' }] }, { readiness: 'Ready' }],
  ['its engine does not answer', { conditions: [{ type: 'EngineReady', status: 'False' }] }, { readiness: 'NotReady' }],
  [
    'S5 a fatal turned its conditions to Unknown',
    { conditions: [{ type: 'EngineReady', status: 'Unknown', reason: 'FatalError' }] },
    {},
  ],
  ['S5 only core calls it Ready', { conditions: [{ type: 'Ready', status: 'True' }] }, {}],
  ['S5 its status cannot be read', { conditions: 'all good' }, {}],
  [
    'it was made from a known template',
    { metadata: { annotations: { 'modelberth.dev/author-hash': 'c0ffee' } } },
    { authorHash: 'c0ffee' },
  ],
  [
    'it runs the template that it was given',
    {
      metadata: { annotations: { 'modelberth.dev/author-hash': 'c0ffee' } },
      conditions: [{ type: 'RolledOut', status: 'True' }],
      revision: { authorHash: 'c0ffee' },
    },
    { authorHash: 'c0ffee', rollout: 'Live' },
  ],
  [
    'S5 what it says is of the template before',
    {
      metadata: { annotations: { 'modelberth.dev/author-hash': 'c0ffee' } },
      conditions: [{ type: 'RolledOut', status: 'True' }],
      revision: { authorHash: 'decaf' },
    },
    { authorHash: 'c0ffee' },
  ],
  [
    'L40 it has given up the template that it was given',
    {
      metadata: { annotations: { 'modelberth.dev/author-hash': 'c0ffee' } },
      conditions: [{ type: 'RolledOut', status: 'False', reason: 'RevisionFailed' }],
      revision: { authorHash: 'c0ffee' },
    },
    { authorHash: 'c0ffee', rollout: 'Failed' },
  ],
  [
    'it is on its way to the template that it was given',
    {
      metadata: { annotations: { 'modelberth.dev/author-hash': 'c0ffee' } },
      conditions: [{ type: 'RolledOut', status: 'False', reason: 'RollingOut' }],
      revision: { authorHash: 'c0ffee' },
    },
    { authorHash: 'c0ffee' },
  ],
  ['it drains', { spec: { index: 1, traffic: 'Drain' } }, { traffic: 'Drain' }],
  ['it is detached', { spec: { index: 1, traffic: 'Detach' } }, { traffic: 'Detach' }],
  ['its traffic is a word of another version', { spec: { index: 1, traffic: 'Pause' } }, {}],
];

test.each(views)('readReplica reads what is proven of a replica when %s', (_name, sample, expected) => {
  expect(readReplica(replica(sample), [], now)).toEqual({ ...serving, ...expected });
});

const drained: readonly [string, 'Drain' | 'Detach', readonly unknown[], Drain][] = [
  ['no service routes to it', 'Drain', [], 'Done'],
  ['a service gives it no weight', 'Drain', [[{ replica: 'llama-1', weight: 0 }]], 'Done'],
  [
    'a service still gives it weight beside another',
    'Drain',
    [
      [
        { replica: 'llama-1', weight: 1 },
        { replica: 'llama-0', weight: 1 },
      ],
    ],
    'Pending',
  ],
  [
    'one of two services still sends',
    'Drain',
    [
      [{ replica: 'llama-1', weight: 0 }],
      [
        { replica: 'llama-1', weight: 2 },
        { replica: 'llama-0', weight: 1 },
      ],
    ],
    'Pending',
  ],
  ['S5 a service has not said anything', 'Drain', [undefined], 'Pending'],
  ['S5 a service does not name it', 'Drain', [[{ replica: 'llama-0', weight: 1 }]], 'Pending'],
  [
    'S5 the route of a service is not accepted, so that it says no weight',
    'Drain',
    [[{ replica: 'llama-1', routable: false }]],
    'Pending',
  ],
  ['S5 a weight is no number', 'Drain', [[{ replica: 'llama-1', weight: '0' }]], 'Pending'],
  ['S5 the endpoints cannot be read', 'Drain', ['none'], 'Pending'],
  [
    'S5 a service decided from an older generation of it',
    'Drain',
    [[{ replica: 'llama-1', weight: 0, generation: 3 }]],
    'Pending',
  ],
  [
    'a service decided from its generation of now',
    'Drain',
    [[{ replica: 'llama-1', weight: 0, generation: 4 }]],
    'Done',
  ],
  ['a service keeps it as the only one', 'Drain', [[{ replica: 'llama-1', weight: 1, routable: true }]], 'LastOne'],
  [
    'a service keeps it as the last with weight',
    'Drain',
    [
      [
        { replica: 'llama-1', weight: 1 },
        { replica: 'llama-0', weight: 0 },
      ],
    ],
    'LastOne',
  ],
  [
    'a service keeps it and another has said no weight',
    'Drain',
    [[{ replica: 'llama-1', weight: 1 }, { replica: 'llama-0' }]],
    'Pending',
  ],
  [
    'it is the last and drains without an endpoint',
    'Drain',
    [[{ replica: 'llama-1', weight: 1, routable: false }]],
    'LastOne',
  ],
  [
    'it is the last, detached, and still has an endpoint',
    'Detach',
    [[{ replica: 'llama-1', weight: 1, routable: true }]],
    'LastOne',
  ],
  [
    'it is the last, detached, and has no endpoint',
    'Detach',
    [[{ replica: 'llama-1', weight: 1, routable: false }]],
    'Done',
  ],
  [
    'S5 it is the last, detached, and its endpoint is not told',
    'Detach',
    [[{ replica: 'llama-1', weight: 1 }]],
    'LastOne',
  ],
  [
    'L45 the requests go to an external endpoint instead',
    'Drain',
    [
      [
        { replica: 'llama-1', weight: 0 },
        { external: 'hosted', schema: 'OpenAI', weight: 1 },
      ],
    ],
    'Done',
  ],
  [
    'an external endpoint is about to take its requests',
    'Drain',
    [
      [
        { replica: 'llama-1', weight: 1 },
        { external: 'hosted', schema: 'OpenAI', weight: 1 },
      ],
    ],
    'Pending',
  ],
  [
    'an external endpoint beside it takes no OpenAI clients',
    'Drain',
    [
      [
        { replica: 'llama-1', weight: 1 },
        { external: 'hosted', schema: 'Anthropic', weight: 1 },
      ],
    ],
    'LastOne',
  ],
];

test.each(drained)(
  'S1 readReplica takes a replica for drained only on proof when %s',
  (_name, traffic, endpoints, expected) => {
    const { drain } = readReplica(
      replica({ spec: { index: 1, traffic } }),
      endpoints.map((rows) => service(rows)),
      now,
    );
    expect(drain).toBe(expected);
  },
);

const routes: readonly [string, unknown, boolean][] = [
  ['it names the deployment', [{ deploymentName: 'llama' }], true],
  ['it names it among others', [{ external: {} }, { deploymentName: 'qwen' }, { deploymentName: 'llama' }], true],
  ['L45 it names another, and an external endpoint', [{ type: 'ExternalEndpoint' }, { deploymentName: 'qwen' }], false],
  ['it names another whose name begins alike', [{ deploymentName: 'llama-2' }], false],
  ['it has no route', [], false],
  ['S1 its routes are not there', undefined, true],
  ['S1 its routes cannot be read', 'llama', true],
  ['S1 one of its routes cannot be read', [{ deploymentName: 'qwen' }, 'llama'], true],
];

test.each(routes)('mayRouteTo tells whether a service may send to a deployment when %s', (_name, value, expected) => {
  expect(mayRouteTo(service([], value), 'llama')).toBe(expected);
});

test('S1 readReplica takes nothing for drained when the routes of a service cannot be read', () => {
  const unreadable = service([{ replica: 'llama-1', weight: 0, generation: 4 }], 'llama');
  expect(readReplica(replica({ spec: { index: 1, traffic: 'Drain' } }), [unreadable], now).drain).toBe('Pending');
});

const silences: readonly [string, string, readonly unknown[], string | undefined, string][] = [
  ['not before the longest stream could have ended', 'Drain', [], '2026-12-01T11:00:00Z', 'Pending'],
  ['once the longest stream has had its time', 'Drain', [], '2026-12-01T10:58:00Z', 'Overdue'],
  [
    'where a weight is of an older generation',
    'Drain',
    [{ replica: 'llama-1', weight: 1, generation: 3 }],
    '2026-12-01T10:00:00Z',
    'Overdue',
  ],
  [
    'never where the service says that it sends',
    'Drain',
    [
      { replica: 'llama-1', weight: 1 },
      { replica: 'llama-0', weight: 1 },
    ],
    '2026-12-01T10:00:00Z',
    'Pending',
  ],
  ['never where nobody knows since when it drains', 'Drain', [], undefined, 'Pending'],
  ['never where the memory was forgotten', 'Drain', [], '', 'Pending'],
];

test.each(silences)('L40 readReplica waits for a silent service, %s', (_name, traffic, rows, since, expected) => {
  const annotations = since === undefined ? {} : { 'modelberth.dev/drain-asked-at': since };
  const draining = replica({ spec: { index: 1, traffic }, metadata: { annotations } });
  expect(readReplica(draining, [service(rows)], now).drain).toBe(expected);
});

test('S1 readReplica waits for ever for a service whose routes cannot be read', () => {
  const annotations = { 'modelberth.dev/drain-asked-at': '2026-11-01T10:00:00Z' };
  const draining = replica({ spec: { index: 1, traffic: 'Drain' }, metadata: { annotations } });
  expect(readReplica(draining, [service([], 'llama')], now).drain).toBe('Pending');
});

test('conditionStatus reads one type, and what is neither True nor False is Unknown', () => {
  const object = replica({
    conditions: [null, { type: 'Placed', status: 'True' }, { type: 'Fits', status: 'False' }, { type: 'Secured' }],
  });
  const types = ['Placed', 'Fits', 'Secured', 'Routable'];
  expect(types.map((type) => conditionStatus(object, type))).toEqual(['True', 'False', 'Unknown', 'Unknown']);
});
