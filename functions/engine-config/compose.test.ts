import { describe, expect, test } from 'vitest';
import { applyDefaults } from '../../cli/crossplane/apply-defaults.ts';
import { readInstalledKinds } from '../../cli/crossplane/package-files.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { type ComposeParts, composeRequest, helloReplica, withSpec } from '../../test/compose-request.ts';
import type { Decision, Freeze } from '../compose.ts';
import { writeHandOff } from '../hand-off.ts';
import { type PlacedShape, placementEntry, type RenderedEngine } from '../hand-offs.ts';
import { composeEngine } from './compose.ts';

const shape: PlacedShape = {
  rung: 'l4/1x1-tp1-pp1/OnDemand',
  className: 'l4',
  acceleratorName: 'L4',
  vendor: 'NVIDIA',
  productName: 'NVIDIA L4',
  shape: { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 },
  nodeGroups: ['llama-0-l4-12345678'],
  allocation: 'DRA',
  smallestNode: { cpu: 3920, memory: 14_162 * 2 ** 20 },
  weightBytes: 16_060_522_496,
  sizing: { gpuMemoryUtilization: 0.9, maxModelLen: 16_384, maxNumSeqs: 8, maxNumBatchedTokens: 2048 },
};
const access = { type: 'Local', namespace: 'crossplane-system', namespacePrefix: '' } as const;
const cluster = {
  access,
  namespaces: { gateway: 'envoy-gateway-system', monitoring: 'monitoring' },
  hasPodMonitor: true,
};

function contextOf(value: unknown): Record<string, unknown> {
  const written = writeHandOff(placementEntry, { ...cluster, ...(value as { shape?: PlacedShape }) });
  return { [written.key]: written.value };
}

function compose(parts: Partial<ComposeParts>): Decision | Freeze {
  return composeEngine(composeRequest({ xr: helloReplica, context: contextOf({ shape }), ...parts }));
}

function rendered(parts: Partial<ComposeParts>): RenderedEngine {
  const outcome = compose(parts);
  const value = 'frozen' in outcome ? undefined : outcome.handOffs?.[0]?.value;
  const engine = (value as { rendered?: RenderedEngine } | undefined)?.rendered;
  if (engine === undefined) throw new Error('nothing was rendered');
  return engine;
}

function templateWith(part: 'model' | 'load' | 'engine', fields: Record<string, unknown>) {
  const { template } = helloReplica.spec as { template: Record<string, object> };
  return withSpec(helloReplica, { template: { ...template, [part]: { ...template[part], ...fields } } });
}

describe('S1 composeEngine holds everything when', () => {
  const held: readonly [string, Partial<ComposeParts>, string, RegExp][] = [
    [
      'its spec cannot be read',
      { xr: templateWith('engine', { image: 'no tag' }) },
      'InvalidSpec',
      /^Cannot read ModelReplica "llama-0": spec\.template\.engine\.image: .*; correct the field$/,
    ],
    [
      'placement said nothing',
      { context: {} },
      'HandOffMissing',
      /^Cannot read context "modelberth\.dev\/placement": the placement step could not decide/,
    ],
    [
      'placement is of another version',
      { context: { 'modelberth.dev/placement': { version: 9, value: {} } } },
      'HandOffMissing',
      /found version 9, want 2/,
    ],
    [
      'placement said something of another form',
      { context: contextOf({ shape: { rung: 1 } }) },
      'HandOffMissing',
      /run the same version of every function$/,
    ],
  ];
  test.each(held)('%s', (_name, parts, reason, message) => {
    expect(compose(parts)).toEqual({
      frozen: true,
      requirements: { resources: {} },
      conditions: [{ type: 'EngineConfigured', status: 'Unknown', reason, message: expect.stringMatching(message) }],
    });
  });
});

describe('composeEngine without a shape', () => {
  test('composes what surrounds the engine, and hands over nothing', () => {
    const outcome = compose({ context: contextOf({}) });
    expect('frozen' in outcome ? outcome : [...outcome.composed.keys()]).toEqual([
      'engine-service',
      'engine-network-policy',
      'engine-disruption-budget',
      'engine-pod-monitor',
    ]);
    expect(outcome).toMatchObject({
      status: {},
      conditions: [{ type: 'EngineConfigured', status: 'False', reason: 'NotPlaced' }],
      handOffs: [{ value: {} }],
    });
  });

  test('S1 keeps the entry of the status that the gateway reads', () => {
    const engine = { endpoint: { service: 'llama-0', port: 8000, protocols: ['OpenAI'] }, args: [] };
    const xr = { ...helloReplica, status: { engine } };
    expect(compose({ xr, context: contextOf({}) })).toMatchObject({ status: { engine } });
  });
});

describe('composeEngine with a shape', () => {
  test('L25 publishes where the engine answers and in which protocols, and says the revision', () => {
    const { revision } = rendered({});
    expect(compose({})).toMatchObject({
      status: { engine: { endpoint: { service: 'llama-0', port: 8000, protocols: ['OpenAI', 'Anthropic'] } } },
      conditions: [
        {
          type: 'EngineConfigured',
          status: 'True',
          reason: 'Rendered',
          message: `Rendered for l4/1x1-tp1-pp1/OnDemand as revision ${revision}`,
        },
      ],
    });
  });

  test('S8 composes a PodMonitor only where the cluster has the Prometheus Operator', () => {
    const keys = (hasPodMonitor: boolean) => {
      const outcome = compose({ context: contextOf({ shape, hasPodMonitor }) });
      return 'frozen' in outcome ? [] : [...outcome.composed.keys()];
    };
    expect(keys(true)).toContain('engine-pod-monitor');
    expect(keys(false)).not.toContain('engine-pod-monitor');
  });

  test('S5 what surrounds the engine is ready once it is observed, and not before', () => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'llama-0' } };
    const outcome = compose({ observed: { 'engine-service': service } });
    const ready =
      'frozen' in outcome ? {} : Object.fromEntries([...outcome.composed].map(([key, item]) => [key, item.ready]));
    expect(ready).toMatchObject({ 'engine-service': true, 'engine-network-policy': false });
  });
});

describe('the revision of an engine', () => {
  const { revision } = rendered({});
  const schema = readInstalledKinds().get('ModelReplica')?.schema ?? {};
  const asDefaulted = applyDefaults(schema, helloReplica) as KubernetesObject;

  const same: readonly [string, Partial<ComposeParts>][] = [
    [
      'the fit figures change',
      { context: contextOf({ shape: { ...shape, sizing: { ...shape.sizing, maxNumSeqs: 4 } } }) },
    ],
    ['the budget changes', { xr: withSpec(helloReplica, { usdPerHour: 9 }) }],
    [
      'the placement policy changes',
      { xr: withSpec(helloReplica, { placement: { classes: ['l4'], patienceMinutes: 1, hedge: 1 } }) },
    ],
    ['the catalogue knows other weights', { context: contextOf({ shape: { ...shape, weightBytes: 1 } }) }],
    [
      'the instance types change',
      { context: contextOf({ shape: { ...shape, smallestNode: { cpu: 1000, memory: 2 ** 30 } } }) },
    ],
    ['the replica drains', { xr: withSpec(helloReplica, { traffic: 'Drain' }) }],
    ['an upgrade adds the defaults that are in the schema now', { xr: asDefaulted }],
  ];
  test.each(same)('L41 stays when %s, so that nothing restarts', (_name, parts) => {
    expect(rendered(parts).revision).toBe(revision);
  });

  const other: readonly [string, Partial<ComposeParts>][] = [
    ['the image changes', { xr: templateWith('engine', { image: 'vllm/vllm-openai:v0.20.0' }) }],
    ['an argument is added', { xr: templateWith('engine', { args: ['--enable-prefix-caching'] }) }],
    ['the context changes', { xr: templateWith('load', { contextTokens: 8192 }) }],
    ['the model changes', { xr: templateWith('model', { name: 'meta-llama/Llama-3.2-3B-Instruct' }) }],
    ['another rung has the nodes', { context: contextOf({ shape: { ...shape, rung: 'l40s/1x1-tp1-pp1/OnDemand' } }) }],
  ];
  test.each(other)('is another when %s', (_name, parts) => {
    expect(rendered(parts).revision).not.toBe(revision);
  });

  test('S2 is in the key and the name of its claim template, whose spec cannot be edited', () => {
    const { objects } = rendered({});
    expect(Object.keys(objects).sort()).toEqual([`claim-${revision}`, 'workload-engine']);
    expect(objects[`claim-${revision}`]).toMatchObject({ metadata: { name: `llama-0-${revision}` } });
    expect(
      Object.keys(rendered({ context: contextOf({ shape: { ...shape, allocation: 'DevicePlugin' } }) }).objects),
    ).toEqual(['workload-engine']);
  });

  test('L39 replaces its pod, since the accelerator is exclusive and no spare is proven', () => {
    expect(rendered({}).objects['workload-engine']).toMatchObject({ spec: { strategy: { type: 'Recreate' } } });
    expect(rendered({}).strategy).toBe('Recreate (no spare accelerator)');
  });
});
