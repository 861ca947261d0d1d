import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import {
  type ComposeParts,
  composeRequest,
  helloObject,
  helloPlatform,
  helloReplica,
  withSpec,
} from '../../test/compose-request.ts';
import { composeReplica } from './compose-replica.ts';

const pools = [
  {
    name: 'racks',
    className: 'l4',
    nodeSelector: { rack: 'gpu' },
    node: { accelerators: 4, allocatableCpu: '60', allocatableMemory: '500Gi', usdPerHour: 1 },
  },
];
const grant = {
  namespace: 'chat',
  replica: 'llama-0',
  acceleratorsPerNode: 1,
  nodes: ['n1'],
  since: '2026-12-01T11:00:00Z',
};
const row = {
  name: 'racks',
  className: 'l4',
  nodes: 1,
  usableNodes: 1,
  accelerators: 4,
  freeAccelerators: 4,
  freeNodes: 1,
  mostFreeOnNode: 4,
  grants: [],
};
const n1: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', labels: { rack: 'gpu' } },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

function cluster(rows: unknown, listed: unknown = pools): KubernetesObject {
  return {
    ...withSpec(helloObject('InferenceCluster', 'europe'), { pools: listed }),
    status: { ledger: { pools: rows } },
  };
}

function decide(required: NonNullable<ComposeParts['required']>, observed: ComposeParts['observed'] = {}) {
  return composeReplica(composeRequest({ xr: helloReplica, required: { ...helloPlatform, ...required }, observed }));
}

const running: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'llama-0',
    annotations: { 'modelberth.dev/rung': 'l4/1x1-tp1-pp1/pool/racks', 'modelberth.dev/pool-nodes': 'n1' },
  },
};

describe('composeReplica with existing pools holds everything', () => {
  const unread: readonly [string, unknown][] = [
    ['was not written yet', undefined],
    ['is text', 'unreadable'],
    ['lacks the pool', [{ ...row, name: 'other' }]],
    ['has counts that are none', [{ ...row, mostFreeOnNode: 'all' }]],
  ];
  test.each(unread)('S1 while the ledger %s: unknown is neither full nor free', (_name, rows) => {
    expect(decide({ cluster: [cluster(rows)] })).toMatchObject({
      frozen: true,
      conditions: [
        {
          type: 'Placed',
          status: 'Unknown',
          reason: 'WaitingForRequired',
          message:
            'Cannot read what is free of pool "racks": wait until InferenceCluster "europe" publishes status.ledger.pools',
        },
      ],
    });
  });

  test('S1 while a granted node has not been fetched', () => {
    const outcome = decide({ cluster: [cluster([{ ...row, grants: [grant] }])] });
    expect(outcome).toMatchObject({
      frozen: true,
      requirements: { resources: { 'pool-node-n1': { kind: 'Node', matchName: 'n1' } } },
    });
  });

  test('but not for a pool of a class that the replica may not have', () => {
    expect(decide({ cluster: [cluster(undefined, [{ ...pools[0], className: 'h100' }])] })).not.toMatchObject({
      frozen: true,
    });
  });
});

describe('composeReplica with existing pools', () => {
  test('S3 requires the node of its workload from the first call, and the granted ones once the cluster is read', () => {
    const names = (outcome: ReturnType<typeof decide>) =>
      Object.keys(outcome.requirements.resources).filter((name) => name.startsWith('pool-node'));
    const { cluster: _cluster, ...without } = helloPlatform;
    const first = composeReplica(
      composeRequest({ xr: helloReplica, required: without, observed: { 'workload-engine': running } }),
    );
    expect(names(first)).toEqual(['pool-node-n1']);
    const moved = { ...grant, nodes: ['n2'] };
    const second = decide({ cluster: [cluster([{ ...row, grants: [moved] }])] }, { 'workload-engine': running });
    expect(names(second)).toEqual(['pool-node-n1', 'pool-node-n2']);
  });

  test('L45 hands over the granted node with the selector and the taints of the pool, and no node group', () => {
    const outcome = decide({ cluster: [cluster([{ ...row, grants: [grant] }])], 'pool-node-n1': [n1] });
    expect(outcome).toMatchObject({
      status: {
        shape: '1 x L4 in pool racks',
        usdPerHour: 0.25,
        pools: [{ pool: 'racks', nodes: 1, acceleratorsPerNode: 1, holds: ['n1'], lost: [] }],
      },
      planned: [{ name: 'llama-0', kind: 'Pool', state: 'Usable', why: 'pool racks: 1 accelerator on n1' }],
      handOffs: [
        {
          value: {
            shape: {
              rung: 'l4/1x1-tp1-pp1/pool/racks',
              pool: { nodeSelector: { rack: 'gpu' }, taints: [], nodes: ['n1'] },
              smallestNode: { cpu: 15_000, memory: 125 * 2 ** 30 },
            },
          },
        },
      ],
    });
    expect('composed' in outcome && [...outcome.composed.keys()]).toEqual([]);
    expect(outcome).not.toHaveProperty('handOffs.0.value.shape.nodeGroups');
  });

  test('publishes no asks where no pool is of its classes', () => {
    expect(decide({})).not.toHaveProperty('status.pools');
  });
});
