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
import { templateRevision } from '../template-revision.ts';
import { composeReplica } from './compose-replica.ts';

function decide(parts: Partial<ComposeParts>): Decision {
  const outcome = composeReplica(composeRequest({ xr: helloReplica, required: helloPlatform, ...parts }));
  if ('frozen' in outcome) throw new Error(`frozen: ${outcome.conditions[0]?.message}`);
  return outcome;
}

const liveRung = 'l4/1x1-tp1-pp1/OnDemand';
const [poolKey, asked] = [...decide({}).composed][0] ?? [];
if (poolKey === undefined || asked === undefined) throw new Error('no rung was asked');
const group: KubernetesObject = {
  ...asked.object,
  metadata: {
    ...asked.object.metadata,
    annotations: { ...asked.object.metadata.annotations, 'modelberth.dev/asked-at': '2026-12-01T10:00:00Z' },
  },
  status: { atProvider: { status: 'ACTIVE', scalingConfig: { desiredSize: 1 } } },
};
const node: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'ip-10-0-0-1', labels: { 'eks.amazonaws.com/nodegroup': group.metadata.name ?? '' } },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};
const workload: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'llama-0',
    labels: { 'modelberth.dev/revision': templateRevision(helloReplica, { rung: liveRung }) },
    annotations: { 'modelberth.dev/rung': liveRung },
  },
  spec: { replicas: 1 },
  status: { replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
};

/** The replica of hello, serving on its L4, after an edit of its spec. */
function serving(edit: Readonly<Record<string, unknown>>): Decision {
  return decide({
    xr: withSpec(helloReplica, edit),
    observed: { [poolKey ?? '']: group, 'workload-engine': workload },
    required: { ...helloPlatform, nodes: [node] },
  });
}

function templateWith(part: string, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { template } = helloReplica.spec as { template: Record<string, object> };
  return { template: { ...template, [part]: { ...template[part], ...fields } } };
}

/** The sizes that the pools are to have, by class, and whether engine-config is told a shape. */
function summarize({ composed, handOffs, conditions }: Decision): Readonly<Record<string, unknown>> {
  const sizes = [...composed.values()].map(({ object }) => {
    const { forProvider } = object.spec as { forProvider: { scalingConfig: { desiredSize: number } } };
    return [object.metadata.labels?.['modelberth.dev/class'], forProvider.scalingConfig.desiredSize];
  });
  const { shape } = (handOffs?.[0]?.value ?? {}) as { shape?: { rung: string } };
  const placed = conditions.find(({ type }) => type === 'Placed');
  return { sizes: Object.fromEntries(sizes), shape: shape?.rung, reason: placed?.reason };
}

describe('a replica that serves on an L4', () => {
  // 100,000 tokens need about 12 GiB of KV cache beside 15 GiB of weights: an L40S has room, an L4 has not.
  const longContext = templateWith('load', { contextTokens: 100_000, concurrentRequests: 1 });

  const table: readonly [string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>][] = [
    ['nothing was edited', {}, { sizes: { l4: 1 }, shape: liveRung, reason: 'NodesUsable' }],
    [
      'L12 the context was raised beyond it: an L40S is asked beside it, and what serves is kept',
      longContext,
      { sizes: { l4: 1, l40s: 0 }, shape: undefined, reason: 'WaitingForNodes' },
    ],
    [
      'L12 its class was taken off the claim: another class is asked beside it',
      { placement: { classes: ['l40s'] } },
      { sizes: { l4: 1, l40s: 0 }, shape: undefined, reason: 'WaitingForNodes' },
    ],
    [
      'L3 the context was raised beyond it and the share holds one rung only: the message has the sum',
      { ...longContext, usdPerHour: 2 },
      { sizes: { l4: 1 }, shape: undefined, reason: 'OverBudget' },
    ],
    [
      'the engine was upgraded on the same hardware',
      templateWith('engine', { image: 'vllm/vllm-openai:v0.20.0' }),
      { sizes: { l4: 1 }, shape: liveRung, reason: 'NodesUsable' },
    ],
  ];
  test.each(table)('moves or stays when %s', (_name, edit, expected) => {
    expect(summarize(serving(edit))).toEqual(expected);
  });

  test('L41 S1 stays when a newer version judges the same claim to be a misfit', () => {
    const [, old] = Object.entries(helloPlatform).find(([name]) => name === 'class-l4') ?? [];
    const [l4] = old ?? [];
    const { accelerator } = (l4?.spec ?? {}) as { accelerator: object };
    const smaller = withSpec(l4 as KubernetesObject, { accelerator: { ...accelerator, visibleMemory: '12Gi' } });
    const decision = decide({
      observed: { [poolKey]: group, 'workload-engine': workload },
      required: { ...helloPlatform, nodes: [node], 'class-l4': [smaller] },
    });
    expect(summarize(decision)).toEqual({ sizes: { l4: 1 }, shape: undefined, reason: 'NodesUsable' });
  });
});

test('S4 a moment of asking that lies ahead is counted from now, so that the next rung is not held back for years', () => {
  const annotations = { ...group.metadata.annotations, 'modelberth.dev/asked-at': '2999-01-01T00:00:00Z' };
  const ahead = { ...group, metadata: { ...group.metadata, annotations } };
  const { composed } = decide({ observed: { [poolKey]: ahead } });
  expect(composed.get(poolKey)?.object.metadata.annotations?.['modelberth.dev/asked-at']).toBe('2026-12-01T12:00:00Z');
});

test('S2 the pod fits the smallest node that its groups launch, whatever the class lists now', () => {
  const smallest = ({ handOffs }: Decision) => {
    const { shape } = (handOffs?.[0]?.value ?? {}) as { shape?: { smallestNode: { cpu: number } } };
    return shape?.smallestNode.cpu;
  };
  const [l4] = helloPlatform['class-l4'] ?? [];
  const { eks } = (l4?.spec ?? {}) as { eks: { nodeTypes: readonly object[] } };
  const tiny = {
    instanceType: 'g6.tiny',
    accelerators: 1,
    allocatableCpu: '3900m',
    allocatableMemory: '64Gi',
    usdPerHour: 0.1,
  };
  const edited = withSpec(l4 as KubernetesObject, { eks: { ...eks, nodeTypes: [...eks.nodeTypes, tiny] } });
  const required = { ...helloPlatform, nodes: [node], 'class-l4': [edited] };
  expect(smallest(decide({ observed: { [poolKey]: group }, required }))).toBe(smallest(serving({})));
});
