import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import {
  type ComposeParts,
  composeRequest,
  helloPlatform,
  helloReplica,
  withSpec,
} from '../../test/compose-request.ts';
import type { Decision } from '../compose.ts';
import { composeReplica } from './compose-replica.ts';

const requirements = {
  resources: {
    cluster: { apiVersion: 'modelberth.dev/v1alpha1', kind: 'InferenceCluster', matchName: 'europe' },
    nodes: { apiVersion: 'v1', kind: 'Node', matchLabels: { 'modelberth.dev/replica': 'chat.llama-0' } },
    pods: {
      apiVersion: 'v1',
      kind: 'Pod',
      matchLabels: { 'modelberth.dev/replica': 'chat.llama-0' },
      namespace: 'chat',
    },
    'class-l4': { apiVersion: 'modelberth.dev/v1alpha1', kind: 'InferenceClass', matchName: 'l4' },
    'class-l40s': { apiVersion: 'modelberth.dev/v1alpha1', kind: 'InferenceClass', matchName: 'l40s' },
  },
};

function withPlatform(
  changed: Readonly<Record<string, readonly KubernetesObject[] | undefined>>,
): NonNullable<ComposeParts['required']> {
  const merged = Object.entries({ ...helloPlatform, ...changed });
  return Object.fromEntries(merged.flatMap(([name, objects]) => (objects === undefined ? [] : [[name, objects]])));
}

function first(name: string): KubernetesObject {
  const [object] = helloPlatform[name] ?? [];
  if (object === undefined) throw new Error(`the platform has no ${name}`);
  return object;
}

describe('S1 composeReplica holds the ladder, with the same requirements, when', () => {
  const held: readonly [string, NonNullable<ComposeParts['required']>, string, RegExp][] = [
    ['nothing has been fetched', {}, 'WaitingForRequired', /fetched/],
    [
      'its nodes have not been fetched: unknown is not zero',
      withPlatform({ nodes: undefined }),
      'WaitingForRequired',
      /fetched/,
    ],
    ['its cluster has not been fetched', withPlatform({ cluster: undefined }), 'WaitingForRequired', /fetched/],
    ['one class has not been fetched', withPlatform({ 'class-l40s': undefined }), 'WaitingForRequired', /fetched/],
    [
      'its cluster is gone',
      withPlatform({ cluster: [] }),
      'ClusterMissing',
      /^Cannot find InferenceCluster "europe" of spec\.clusterName: create it; a replica keeps its cluster for life$/,
    ],
    [
      'its cluster cannot be read',
      withPlatform({ cluster: [withSpec(first('cluster'), { allocation: 'Magic' })] }),
      'ClusterMissing',
      /^Cannot read InferenceCluster "europe": spec\.allocation: .*; correct the field$/,
    ],
    [
      'a class is gone',
      withPlatform({ 'class-l40s': [] }),
      'ClassMissing',
      /^Cannot find InferenceClass "l40s" of spec\.placement\.classes: create it or take it off the list$/,
    ],
    [
      'a class cannot be read',
      withPlatform({ 'class-l40s': [withSpec(first('class-l40s'), { eks: {} })] }),
      'ClassMissing',
      /^Cannot read InferenceClass "l40s": spec\.eks\.nodeTypes: .*; correct the field$/,
    ],
  ];
  test.each(held)('%s', (_name, required, reason, message) => {
    expect(composeReplica(composeRequest({ xr: helloReplica, required }))).toEqual({
      frozen: true,
      requirements,
      conditions: [
        expect.objectContaining({
          type: 'Placed',
          status: 'Unknown',
          reason,
          message: expect.stringMatching(message),
        }),
      ],
    });
  });

  test('its own spec cannot be read, which it says by the name of each field', () => {
    const wrong = withSpec(helloReplica, { index: 'first', placement: { classes: [] } });
    expect(composeReplica(composeRequest({ xr: wrong, required: helloPlatform }))).toEqual({
      frozen: true,
      requirements: { resources: {} },
      conditions: [
        {
          type: 'Placed',
          status: 'Unknown',
          reason: 'InvalidSpec',
          message: expect.stringMatching(
            /^Cannot read ModelReplica "llama-0": spec\.index: .*; spec\.placement\.classes: .*; correct the field$/,
          ),
        },
      ],
    });
  });
});

function decide(parts: Partial<ComposeParts>): Decision {
  const outcome = composeReplica(composeRequest({ xr: helloReplica, required: helloPlatform, ...parts }));
  if ('frozen' in outcome) throw new Error(`frozen: ${outcome.conditions[0]?.message}`);
  return outcome;
}

/** The first rung as it was asked: its key and its node group. */
function askFirst(): readonly [string, KubernetesObject] {
  const [asked] = decide({}).composed;
  if (asked === undefined) throw new Error('no rung was asked');
  const [key, { object }] = asked;
  return [key, { ...object, metadata: { ...object.metadata, creationTimestamp: '2026-12-01T11:59:00Z' } }];
}

describe('composeReplica', () => {
  test('L13 asks the first rung at size zero and hands over no shape', () => {
    const decision = decide({});
    const [[key, item] = ['', undefined], ...others] = decision.composed;
    expect(others).toEqual([]);
    expect(key).toBe(`pool-${item?.object.metadata.name}`);
    expect(item).toMatchObject({
      ready: false,
      state: 'Asked',
      since: '2026-12-01T12:00:00Z',
      object: {
        kind: 'NodeGroup',
        spec: { forProvider: { scalingConfig: { minSize: 0, desiredSize: 0, maxSize: 1 } } },
      },
    });
    expect(decision.handOffs).toEqual([
      {
        entry: expect.objectContaining({ key: 'modelberth.dev/placement' }),
        value: {
          access: { type: 'Local', namespace: 'crossplane-system', namespacePrefix: '' },
          hasPodMonitor: false,
          preferredNodes: 1,
          namespaces: { gateway: 'envoy-gateway-system', monitoring: 'monitoring' },
        },
      },
    ]);
  });

  test('L14 raises a group only once the provider has made it', () => {
    const [key, group] = askFirst();
    const sizeAt = (status: unknown) => {
      const seen = { ...group, status: { atProvider: { status } } };
      const { object } = decide({ observed: { [key]: seen } }).composed.get(key) ?? {};
      return object?.spec;
    };
    expect(sizeAt('CREATING')).toMatchObject({ forProvider: { scalingConfig: { desiredSize: 0 } } });
    expect(sizeAt('ACTIVE')).toMatchObject({
      forProvider: { scalingConfig: { minSize: 1, desiredSize: 1, maxSize: 1 } },
    });
  });

  test('S6 names the quota when the cluster may not hold another group', () => {
    const full = { ...first('cluster'), status: { ledger: { nodeGroups: 30 } } };
    const decision = decide({ required: withPlatform({ cluster: [full] }) });
    expect(decision.composed.size).toBe(0);
    expect(decision.conditions).toContainEqual({
      type: 'Placed',
      status: 'False',
      reason: 'NodeGroupQuota',
      message: 'Cannot ask for another node group on the cluster: raise spec.maxNodeGroups of its InferenceCluster',
    });
  });

  test('S4 wakes when the patience with the first rung ends', () => {
    const [key, group] = askFirst();
    const annotations = { ...group.metadata.annotations, 'modelberth.dev/asked-at': '2026-12-01T11:50:00Z' };
    const waiting = { ...group, metadata: { ...group.metadata, annotations } };
    expect(decide({ observed: { [key]: waiting } }).wakeInSeconds).toBe(120);
  });
});

describe('S1 memory that somebody has edited freezes nothing and loses nothing:', () => {
  const edits: readonly [string, Record<string, string>][] = [
    ['a price that is no number', { 'modelberth.dev/usd-per-hour': 'free' }],
    ['an empty price', { 'modelberth.dev/usd-per-hour': '' }],
    ['a negative price', { 'modelberth.dev/usd-per-hour': '-5' }],
    ['a moment that is none', { 'modelberth.dev/asked-at': 'yesterday' }],
    ['a moment in the future', { 'modelberth.dev/asked-at': '2999-01-01T00:00:00Z' }],
    ['another rung', { 'modelberth.dev/rung': 'h100/8x8-tp8-pp8/Spot' }],
    ['a rung that is no rung', { 'modelberth.dev/rung': '/' }],
  ];
  test.each(edits)('%s', (_name, edit) => {
    const [key, group] = askFirst();
    const annotations = { ...group.metadata.annotations, ...edit };
    const { composed, status } = decide({
      observed: { [key]: { ...group, metadata: { ...group.metadata, annotations } } },
    });
    expect(composed.get(key)?.object).toMatchObject({ metadata: { name: group.metadata.name }, spec: group.spec });
    const prices = [status.usdPerHour, ...(status.ladder as { usdPerHour: number }[]).map((rung) => rung.usdPerHour)];
    expect(prices.filter((price) => !(Number.isFinite(price) && Number(price) >= 0))).toEqual([]);
  });
});

describe('L3 composeReplica under a cap of its namespace', () => {
  const under = (usdPerHour: number, granted?: number) => {
    const guarded = withSpec(first('cluster'), { guardrails: { perNamespace: { usdPerHour } } });
    const grants = granted === undefined ? [] : [{ namespace: 'chat', replica: 'llama-0', usdPerHour: granted }];
    const cluster = { ...guarded, status: { ledger: { grants } } } as KubernetesObject;
    return composeReplica(
      composeRequest({ xr: helloReplica, required: withPlatform({ cluster: [cluster] }) }),
    ) as Decision;
  };
  const placed = ({ conditions }: Decision) => conditions.find(({ type }) => type === 'Placed')?.reason;

  test('asks for nothing before the ledger grants it, and says what it wants', () => {
    const decision = under(5);
    expect([...decision.composed.keys()]).toEqual([]);
    expect(decision.status).toMatchObject({ usdPerHour: 0, wantedUsdPerHour: 0.9776 });
    expect(placed(decision)).toBe('WaitingForGrant');
  });

  test('asks for what the ledger granted', () => {
    const decision = under(5, 0.9776);
    expect([...decision.composed.keys()]).toEqual([expect.stringMatching(/^pool-/)]);
    expect(decision.status).toMatchObject({ usdPerHour: 0.9776, wantedUsdPerHour: 0.9776 });
    expect(placed(decision)).toBe('WaitingForNodes');
  });

  test('S1 keeps asking for what was granted when the cap is lowered below it', () => {
    const decision = under(0.5, 0.9776);
    expect([...decision.composed.keys()]).toEqual([expect.stringMatching(/^pool-/)]);
    expect(placed(decision)).toBe('WaitingForNodes');
  });

  test('is refused with the sum where no candidate has room', () => {
    const decision = under(0.5);
    expect([...decision.composed.keys()]).toEqual([]);
    expect(decision.status).toMatchObject({ usdPerHour: 0, wantedUsdPerHour: 0 });
    expect(placed(decision)).toBe('GuardrailRefused');
  });
});
