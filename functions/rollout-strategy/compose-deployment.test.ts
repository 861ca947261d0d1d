import { describe, expect, test } from 'vitest';
import { applyDefaults } from '../../cli/crossplane/apply-defaults.ts';
import { readInstalledKinds } from '../../cli/crossplane/package-files.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { type ComposeParts, composeRequest, helloObject, withSpec } from '../../test/compose-request.ts';
import type { Decision, Freeze } from '../compose.ts';
import { writeHandOff } from '../hand-off.ts';
import { type Assignment, assignmentEntry } from '../hand-offs.ts';
import { composeDeployment } from './compose-deployment.ts';

const llama = helloObject('ModelDeployment', 'llama');
const requirements = {
  resources: {
    services: { apiVersion: 'modelberth.dev/v1alpha1', kind: 'ModelService', matchLabels: {}, namespace: 'chat' },
  },
};

function contextOf(assignment: Assignment): Record<string, unknown> {
  const { key, value } = writeHandOff(assignmentEntry, assignment);
  return { [key]: value };
}
const context = contextOf({ clusterName: 'europe', shareUsdPerHour: 3 });

function compose(parts: Partial<ComposeParts>): Decision | Freeze {
  return composeDeployment(composeRequest({ xr: llama, required: { services: [] }, context, ...parts }));
}

function decide(parts: Partial<ComposeParts>): Decision {
  const outcome = compose(parts);
  if ('frozen' in outcome) throw new Error(`frozen: ${outcome.conditions[0]?.message}`);
  return outcome;
}

/** The replica that a deployment composes first, as it is observed when it says the given conditions are True. */
function observe(
  xr: KubernetesObject,
  index: number,
  ...conditions: string[]
): Readonly<Record<string, KubernetesObject>> {
  const wanted = withSpec(xr, { replicas: index + 1 });
  const item = decide({ xr: wanted }).composed.get(`replica-llama-${index}`);
  if (item === undefined) throw new Error(`replica ${index} was not composed`);
  const authorHash = item.object.metadata.annotations?.['modelberth.dev/author-hash'];
  const status = { conditions: conditions.map((type) => ({ type, status: 'True' })), revision: { authorHash } };
  return {
    [`replica-llama-${index}`]: { ...item.object, metadata: { ...item.object.metadata, generation: 2 }, status },
  };
}

function specOf(decision: Decision, key: string): Record<string, unknown> {
  return decision.composed.get(key)?.object.spec as Record<string, unknown>;
}

function serviceWith(fields: Readonly<Record<string, unknown>>): KubernetesObject {
  return { ...helloObject('ModelService', 'llama'), ...fields };
}

describe('S1 the rollout of a deployment holds everything when', () => {
  const held: readonly [string, Partial<ComposeParts>, string, RegExp][] = [
    [
      'the claim cannot be read',
      { xr: withSpec(llama, { replicas: -1 }) },
      'InvalidSpec',
      /^Cannot read ModelDeployment "llama": spec\.replicas: .*; correct the field$/,
    ],
    [
      'the engine does not take an argument, so that no replica is edited',
      { xr: withSpec(llama, { engine: { image: 'vllm/vllm-openai:v0.30.0', args: ['--max-num-seqz=8'] } }) },
      'InvalidSpec',
      /^Cannot use ModelDeployment "llama": spec\.engine\.args: no vLLM from .* has "--max-num-seqz": write "--max-num-seqs" if you meant that, or remove it$/,
    ],
    [
      'placement said nothing',
      { context: {} },
      'HandOffMissing',
      /^Cannot read context "modelberth\.dev\/assignment": the placement step/,
    ],
    [
      'placement is of another version',
      { context: { 'modelberth.dev/assignment': { version: 0, value: {} } } },
      'HandOffMissing',
      /found version 0, want 1/,
    ],
    ['the services have not been fetched', { required: {} }, 'WaitingForRequired', /services of the namespace/],
  ];
  test.each(held)('%s', (_name, parts, reason, message) => {
    expect(compose(parts)).toEqual({
      frozen: true,
      requirements,
      conditions: [{ type: 'RolledOut', status: 'Unknown', reason, message: expect.stringMatching(message) }],
    });
  });
});

describe('a deployment composes', () => {
  test('its first replica with the whole template, the cluster and the share of the budget', () => {
    const decision = decide({});
    expect([...decision.composed.keys()]).toEqual(['replica-llama-0']);
    expect(specOf(decision, 'replica-llama-0')).toEqual({
      deploymentName: 'llama',
      index: 0,
      clusterName: 'europe',
      placement: { classes: ['l4', 'l40s'] },
      usdPerHour: 3,
      traffic: 'Serve',
      template: {
        model: { name: 'meta-llama/Llama-3.1-8B-Instruct', hubTokenSecret: { name: 'hub' } },
        load: { contextTokens: 16384, concurrentRequests: 2 },
        engine: { image: 'vllm/vllm-openai:v0.19.0' },
      },
    });
    expect(decision.status).toEqual({
      replicas: { total: 0, ready: 0, updated: 0 },
      selector: 'modelberth.dev/deployment=llama',
    });
  });

  test('no new replica where no cluster can hold the model, and leaves those that are', () => {
    const observed = observe(llama, 0);
    const decision = decide({
      xr: withSpec(llama, { replicas: 3 }),
      observed,
      context: contextOf({ shareUsdPerHour: 3 }),
    });
    expect([...decision.composed.keys()]).toEqual(['replica-llama-0']);
    expect(decision.dropped).toEqual(new Map());
  });

  test('L40 the new template on one replica at a time, the next only when every other one is ready', () => {
    const two = withSpec(llama, { replicas: 2 });
    const edited = withSpec(two, { engine: { image: 'vllm/vllm-openai:v0.20.0' } });
    const image = (decision: Decision, index: number) => {
      return (specOf(decision, `replica-llama-${index}`).template as { engine: { image: string } }).engine.image;
    };
    const ready = { ...observe(two, 0, 'EngineReady'), ...observe(two, 1, 'EngineReady') };
    const first = decide({ xr: edited, observed: ready });
    expect([image(first, 0), image(first, 1)]).toEqual(['vllm/vllm-openai:v0.20.0', 'vllm/vllm-openai:v0.19.0']);
    const restarting = { ...observe(edited, 0), ...observe(two, 1, 'EngineReady') };
    const second = decide({ xr: edited, observed: restarting });
    expect([image(second, 0), image(second, 1)]).toEqual(['vllm/vllm-openai:v0.20.0', 'vllm/vllm-openai:v0.19.0']);
    const stale = { ...observe(edited, 0, 'EngineReady'), ...observe(two, 1, 'EngineReady') };
    const held = decide({ xr: edited, observed: stale });
    expect([image(held, 0), image(held, 1)]).toEqual(['vllm/vllm-openai:v0.20.0', 'vllm/vllm-openai:v0.19.0']);
    const third = decide({
      xr: edited,
      observed: { ...observe(edited, 0, 'EngineReady', 'RolledOut'), ...observe(two, 1, 'EngineReady') },
    });
    expect([image(third, 0), image(third, 1)]).toEqual(['vllm/vllm-openai:v0.20.0', 'vllm/vllm-openai:v0.20.0']);
  });
});

describe('L14 no field of the claim is ignored after creation:', () => {
  const observed = observe(llama, 0, 'EngineReady');

  test('a larger budget reaches a replica that runs', () => {
    expect(
      specOf(decide({ observed, context: contextOf({ clusterName: 'europe', shareUsdPerHour: 9 }) }), 'replica-llama-0')
        .usdPerHour,
    ).toBe(9);
  });

  test('a budget that is taken away no longer binds a replica that runs', () => {
    const unbound = {
      xr: withSpec(llama, { budget: undefined }),
      observed,
      context: contextOf({ clusterName: 'europe' }),
    };
    expect(specOf(decide(unbound), 'replica-llama-0')).not.toHaveProperty('usdPerHour');
  });

  test('another patience reaches a replica that runs', () => {
    const patient = withSpec(llama, { placement: { classes: ['l4'], patienceMinutes: 60 } });
    expect(specOf(decide({ xr: patient, observed }), 'replica-llama-0').placement).toEqual({
      classes: ['l4'],
      patienceMinutes: 60,
    });
  });

  test('when a rollout has failed and what a revision must prove reach a replica that runs, and go again', () => {
    const careful = { rollout: { deadlineMinutes: 60, onFailure: 'Stay' }, conformance: { enabled: true } };
    const told = decide({ xr: withSpec(llama, careful), observed });
    expect(specOf(told, 'replica-llama-0')).toMatchObject(careful);
    const [[key, replica] = ['', undefined]] = Object.entries(observed);
    if (replica === undefined) throw new Error('a replica is observed');
    const untold = specOf(decide({ observed: { [key]: withSpec(replica, careful) } }), 'replica-llama-0');
    expect([untold.rollout, untold.conformance]).toEqual([undefined, undefined]);
  });

  test('another drain is a new template, since the pod has it', () => {
    const quick = withSpec(llama, { rollout: { longestStreamSeconds: 60, deadlineMinutes: 5 } });
    const spec = specOf(decide({ xr: quick, observed }), 'replica-llama-0');
    expect(spec.template).toMatchObject({ drain: { longestStreamSeconds: 60 } });
    expect(spec.rollout).toEqual({ deadlineMinutes: 5 });
  });

  test('another cluster does not: a replica keeps its cluster for life', () => {
    expect(
      specOf(decide({ observed, context: contextOf({ clusterName: 'asia' }) }), 'replica-llama-0').clusterName,
    ).toBe('europe');
  });
});

test('L41 an upgrade that adds a default edits no replica', () => {
  const schema = readInstalledKinds().get('ModelDeployment')?.schema ?? {};
  const defaulted = applyDefaults(schema, llama) as KubernetesObject;
  const hashOf = (xr: KubernetesObject) =>
    decide({ xr }).composed.get('replica-llama-0')?.object.metadata.annotations?.['modelberth.dev/author-hash'];
  expect(hashOf(defaulted)).toBe(hashOf(llama));
});

describe('S1 a replica beyond spec.replicas goes only when nothing is sent to it:', () => {
  const none = withSpec(llama, { replicas: 0 });
  const [[key, serving] = ['', undefined]] = Object.entries(observe(llama, 0, 'EngineReady', 'RolledOut'));
  if (serving === undefined) throw new Error('a replica is observed');
  const draining = withSpec(serving, { traffic: 'Drain' });
  const rowOf = (row: Record<string, unknown>) =>
    serviceWith({ status: { endpoints: [{ replica: 'llama-0', ...row }] } });
  const others = {
    endpoints: [
      { replica: 'llama-0', weight: 1, routable: true },
      { replica: 'other-0', weight: 1, routable: true },
    ],
  };

  const rows: readonly [string, KubernetesObject, readonly KubernetesObject[], string][] = [
    ['it drains first, even when no service routes to it', serving, [], 'Drain'],
    ['it goes when it drains and no service exists', draining, [], 'gone'],
    [
      'it goes when it drains and no service routes to its deployment',
      draining,
      [serviceWith({ spec: { gatewayName: 'a', routes: [{ deploymentName: 'other' }] } })],
      'gone',
    ],
    ['it goes when its weight is 0 in every service', draining, [rowOf({ weight: 0, generation: 2 })], 'gone'],
    ['it stays while a service says no weight', draining, [rowOf({})], 'Drain'],
    ['it stays while a service has no status', draining, [serviceWith({})], 'Drain'],
    ['it stays while a service has an unreadable status', draining, [serviceWith({ status: 'text' })], 'Drain'],
    [
      'it stays while a service has an unreadable spec, which may route to it',
      draining,
      [serviceWith({ spec: 'text' })],
      'Drain',
    ],
    [
      'it stays while a service has one route that cannot be read',
      draining,
      [serviceWith({ spec: { gatewayName: 'a', routes: [{ deploymentName: [] }] } })],
      'Drain',
    ],
    [
      'it stays while a service has unreadable routes',
      draining,
      [serviceWith({ spec: { gatewayName: 'a', routes: 'text' } })],
      'Drain',
    ],
    ['it stays while the weight 0 is from before it drained', draining, [rowOf({ weight: 0, generation: 1 })], 'Drain'],
    ['it stays while it has weight beside others', draining, [serviceWith({ status: others })], 'Drain'],
    [
      'it is detached when it is the last with weight',
      draining,
      [rowOf({ weight: 1, routable: true, generation: 2 })],
      'Detach',
    ],
    [
      'it stays detached while its endpoint still answers',
      withSpec(serving, { traffic: 'Detach' }),
      [rowOf({ weight: 1, routable: true, generation: 2 })],
      'Detach',
    ],
    [
      'it goes when it is detached and answers no more',
      withSpec(serving, { traffic: 'Detach' }),
      [rowOf({ weight: 1, routable: false, generation: 2 })],
      'gone',
    ],
  ];
  test.each(rows)('%s', (_name, replica, services, expected) => {
    const decision = decide({ xr: none, observed: { [key]: replica }, required: { services } });
    const traffic = specOf(decision, key)?.traffic;
    expect({ traffic, dropped: [...(decision.dropped ?? new Map()).keys()] }).toEqual(
      expected === 'gone' ? { traffic: undefined, dropped: [key] } : { traffic: expected, dropped: [] },
    );
  });

  test('it serves again when it is asked for again while it drains', () => {
    expect(specOf(decide({ observed: { [key]: draining } }), key).traffic).toBe('Serve');
  });

  test('one whose spec cannot be read is neither dropped nor drained', () => {
    const unreadable = { ...draining, spec: 'text' };
    const decision = decide({ xr: none, observed: { 'replica-llama-1': unreadable }, required: { services: [] } });
    expect([...(decision.dropped ?? new Map()).keys()]).toEqual([]);
  });
});
