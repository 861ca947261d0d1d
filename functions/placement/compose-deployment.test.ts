import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { composeRequest, helloObject, withSpec } from '../../test/compose-request.ts';
import type { Decision, Freeze } from '../compose.ts';
import { composeDeployment } from './compose-deployment.ts';

const llama = helloObject('ModelDeployment', 'llama');
const europe = helloObject('InferenceCluster', 'europe');
const l4 = helloObject('InferenceClass', 'l4');
const l40s = helloObject('InferenceClass', 'l40s');
type Required = Readonly<Record<string, readonly KubernetesObject[]>>;
const platform: Required = { clusters: [europe], 'class-l4': [l4], 'class-l40s': [l40s] };
const named = (name: string) => ({ ...europe, metadata: { name } });
const inCluster = (clusterName: string) => withSpec(llama, { placement: { classes: ['l4', 'l40s'], clusterName } });

function compose(xr: KubernetesObject, required: Required): Decision | Freeze {
  return composeDeployment(composeRequest({ xr, required }));
}

function without(name: string): Required {
  return Object.fromEntries(Object.entries(platform).filter(([key]) => key !== name));
}

const classRequirements = {
  'class-l4': { apiVersion: 'modelberth.dev/v1alpha1', kind: 'InferenceClass', matchName: 'l4' },
  'class-l40s': { apiVersion: 'modelberth.dev/v1alpha1', kind: 'InferenceClass', matchName: 'l40s' },
};
const everyCluster = { apiVersion: 'modelberth.dev/v1alpha1', kind: 'InferenceCluster' };

describe('S1 composeDeployment holds everything, and names the object and the fix, when', () => {
  const held: readonly [string, KubernetesObject, Required, string, RegExp][] = [
    [
      'nothing has been fetched',
      llama,
      {},
      'WaitingForRequired',
      /^Cannot decide before every required object has been fetched/,
    ],
    ['one class has not been fetched', llama, without('class-l40s'), 'WaitingForRequired', /fetched/],
    [
      'the engine does not take an argument',
      withSpec(llama, { engine: { image: 'vllm/vllm-openai:v0.19.1', args: ['--swap-space=4'] } }),
      platform,
      'InvalidSpec',
      /^Cannot use ModelDeployment "llama": spec\.engine\.args: vLLM 0\.19\.1 has no "--swap-space", 0\.17\.1 had it: remove it, or set spec\.engine\.image to a release that has it$/,
    ],
    [
      'there is no cluster',
      llama,
      { ...platform, clusters: [] },
      'ClusterMissing',
      /^Cannot find any InferenceCluster: create one$/,
    ],
    [
      'the named cluster does not exist',
      inCluster('asia'),
      { ...platform, clusters: [] },
      'ClusterMissing',
      /^Cannot find InferenceCluster "asia" of spec\.placement\.clusterName: create it or correct the name$/,
    ],
    [
      'a cluster cannot be read',
      llama,
      { ...platform, clusters: [withSpec(europe, { eks: 'text' })] },
      'ClusterMissing',
      /^Cannot read InferenceCluster "europe": spec\.eks: .*; correct the field$/,
    ],
    [
      'a class does not exist',
      llama,
      { ...platform, 'class-l40s': [] },
      'ClassMissing',
      /^Cannot find InferenceClass "l40s" of spec\.placement\.classes: create it or take it off the list$/,
    ],
    [
      'a class cannot be read',
      llama,
      { ...platform, 'class-l4': [withSpec(l4, { accelerator: 1 })] },
      'ClassMissing',
      /^Cannot read InferenceClass "l4": spec\.accelerator: .*; correct the field$/,
    ],
  ];
  test.each(held)('%s', (_name, xr, required, reason, message) => {
    const { clusterName } = (xr.spec as { placement: { clusterName?: string } }).placement;
    const clusters = clusterName === undefined ? everyCluster : { ...everyCluster, matchName: clusterName };
    expect(compose(xr, required)).toEqual({
      frozen: true,
      requirements: { resources: { clusters, ...classRequirements } },
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

  test('the claim has a field of the wrong type', () => {
    expect(
      compose(withSpec(llama, { replicas: 'two', load: { contextTokens: -1, concurrentRequests: 2 } }), platform),
    ).toEqual({
      frozen: true,
      requirements: { resources: {} },
      conditions: [
        {
          type: 'Placed',
          status: 'Unknown',
          reason: 'InvalidSpec',
          message: expect.stringMatching(
            /^Cannot read ModelDeployment "llama": spec\.load\.contextTokens: .*; spec\.replicas: .*; correct the field$/,
          ),
        },
      ],
    });
  });
});

/** The conditions by type and reason, and the hand-off. */
function outcome(xr: KubernetesObject, required: Required = platform): unknown {
  const decision = compose(xr, required);
  if ('frozen' in decision) return decision;
  const conditions = decision.conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);
  return { conditions, assignment: decision.handOffs?.[0]?.value };
}

describe('composeDeployment decides', () => {
  const rows: readonly [string, KubernetesObject, Required, unknown][] = [
    [
      'that the model fits, and the cluster and the share of a replica',
      llama,
      platform,
      { conditions: ['Fits=True Comfortable'], assignment: { clusterName: 'europe', shareUsdPerHour: 3 } },
    ],
    [
      'L3 an equal share of the budget for each replica, rounded down',
      withSpec(llama, { replicas: 3, budget: { usdPerHour: 5 } }),
      platform,
      { conditions: ['Fits=True Comfortable'], assignment: { clusterName: 'europe', shareUsdPerHour: 1.6666 } },
    ],
    [
      'no share without a budget',
      withSpec(llama, { budget: undefined }),
      platform,
      { conditions: ['Fits=True Comfortable'], assignment: { clusterName: 'europe' } },
    ],
    [
      'the first cluster by name that can hold the model',
      llama,
      { ...platform, clusters: [named('europe'), named('africa')] },
      { conditions: ['Fits=True Comfortable'], assignment: { clusterName: 'africa', shareUsdPerHour: 3 } },
    ],
    [
      'L3 no cluster when everything costs more than the budget',
      withSpec(llama, { budget: { usdPerHour: 0.5 } }),
      platform,
      { conditions: ['Fits=True Comfortable', 'Placed=False OverBudget'], assignment: { shareUsdPerHour: 0.5 } },
    ],
    [
      'L16 no cluster when the context does not fit',
      withSpec(llama, { load: { contextTokens: 131_072, concurrentRequests: 64 }, placement: { classes: ['l4'] } }),
      platform,
      { conditions: ['Fits=False Misfit', 'Placed=False Misfit'], assignment: { shareUsdPerHour: 3 } },
    ],
    [
      'L4 no cluster when a fact of the model is unknown',
      withSpec(llama, { model: { name: 'nobody/Unknown-9B' } }),
      platform,
      { conditions: ['Fits=Unknown Unsupported', 'Placed=False Unsupported'], assignment: { shareUsdPerHour: 3 } },
    ],
  ];
  test.each(rows)('%s', (_name, xr, required, expected) => {
    expect(outcome(xr, required)).toEqual(expected);
  });

  test('L3 the price of all replicas on the cheapest node type, with the day it was read', () => {
    const decision = compose(withSpec(llama, { replicas: 2 }), platform);
    expect('frozen' in decision ? {} : decision.status).toMatchObject({
      model: { shape: '1 x L4', class: 'l4', priceReadOn: '2026-07-20' },
      usdPerHour: 1.6096,
    });
  });

  test('S6 why each candidate was refused, and what would change that', () => {
    const decision = compose(withSpec(llama, { budget: { usdPerHour: 0.5 } }), platform);
    const [, placed] = decision.conditions;
    expect(placed?.message).toBe(
      'Cannot place "meta-llama/Llama-3.1-8B-Instruct": l4 (1 x L4): It costs USD 0.98/h and the share of one replica is USD 0.50/h; raise spec.budget.usdPerHour or allow a cheaper class; l40s (1 x L40S): It costs USD 1.86/h and the share of one replica is USD 0.50/h; raise spec.budget.usdPerHour or allow a cheaper class',
    );
  });
});

describe('composeDeployment keeps to the guardrails', () => {
  const guarded = withSpec(europe, { guardrails: { imagePrefixes: ['registry.example.com/'] } });
  const allowing = { ...withSpec(europe, {}), metadata: { name: 'asia' } };
  const conditions = (decision: Decision | Freeze) => ('conditions' in decision ? decision.conditions : undefined);

  test('and refuses an image with the field and the owner of the rule', () => {
    expect(conditions(compose(llama, { ...platform, clusters: [guarded] }))).toEqual([
      { type: 'Fits', status: 'True', reason: 'Comfortable', message: 'It fits; a guardrail refuses it' },
      {
        type: 'Placed',
        status: 'False',
        reason: 'GuardrailRefused',
        message: expect.stringMatching(
          /^Cannot place ".*": spec\.engine\.image is ".*", and InferenceCluster "europe" allows images of "registry\.example\.com\/": use one of those$/,
        ),
      },
    ]);
  });

  test('and chooses a cluster that allows the claim', () => {
    const decision = compose(llama, { ...platform, clusters: [guarded, allowing] });
    expect('handOffs' in decision ? decision.handOffs?.[0]?.value : undefined).toMatchObject({ clusterName: 'asia' });
  });
});
