import type { ConditionType } from '../domain/kubernetes/condition.ts';

/** Which step owns what: the one table from which keys, status fields and freezing follow (S1). */
export const functionNames = ['placement', 'engine-config', 'rollout-strategy', 'gateway'] as const;
export type FunctionName = (typeof functionNames)[number];

export interface Step {
  /** Prefixes of the composed resource keys that the step re-emits and may drop. */
  readonly keyPrefixes: readonly string[];
  /** Fields of `status` that the step writes; on a freeze they are carried over as they were. */
  readonly statusFields: readonly string[];
  /** The condition by which the step says that it could not decide, by the kind of the XR. */
  readonly mainCondition: Readonly<Record<string, ConditionType>>;
}

export const steps: Readonly<Record<FunctionName, Step>> = {
  placement: {
    keyPrefixes: ['pool-', 'template-', 'observe-'],
    statusFields: [
      'model',
      'fit',
      'usdPerHour',
      'wantedUsdPerHour',
      'pools',
      'accelerators',
      'wantedAccelerators',
      'byClass',
      'candidates',
      'ladder',
      'shape',
      'class',
      'zone',
      'next',
      'admits',
      'features',
      'parts',
      'ledger',
    ],
    mainCondition: {
      InferenceClass: 'Catalogued',
      InferenceCluster: 'StackReady',
      ModelDeployment: 'Placed',
      ModelReplica: 'Placed',
    },
  },
  'engine-config': {
    keyPrefixes: ['engine-'],
    statusFields: ['engine'],
    mainCondition: { ModelReplica: 'EngineConfigured' },
  },
  'rollout-strategy': {
    keyPrefixes: ['replica-', 'revision-', 'workload-', 'claim-', 'check-', 'guard-deployment'],
    statusFields: ['replicas', 'selector', 'revision', 'lastFailure', 'conformance'],
    mainCondition: { ModelDeployment: 'RolledOut', ModelReplica: 'RolledOut' },
  },
  gateway: {
    keyPrefixes: ['gateway-', 'guard-gateway'],
    statusFields: ['address', 'callers', 'endpoints', 'externalEndpoints', 'features', 'listeners'],
    mainCondition: { InferenceGateway: 'Secured', ModelService: 'Routable' },
  },
};

/** The steps of each kind's Composition, in order; the last one re-emits keys that no step owns. */
export const pipelines: Readonly<Record<string, readonly FunctionName[]>> = {
  InferenceClass: ['placement'],
  InferenceCluster: ['placement'],
  InferenceGateway: ['gateway'],
  ModelDeployment: ['placement', 'rollout-strategy'],
  ModelReplica: ['placement', 'engine-config', 'rollout-strategy'],
  ModelService: ['gateway'],
};

/** Prefixes of the keys of what runs on the cluster itself; the rest is the control plane's own. */
const clusterPrefixes = ['engine-', 'workload-', 'claim-', 'check-', 'gateway-'];

/** Tells whether the resource of a key runs on the cluster, which may be another one than the control plane's. */
export function runsOnCluster(key: string): boolean {
  return clusterPrefixes.some((prefix) => key.startsWith(prefix));
}

/** Tells whether a key belongs to a step of this version. */
export function ownsKey(name: FunctionName, key: string): boolean {
  return steps[name].keyPrefixes.some((prefix) => key.startsWith(prefix));
}

/** Tells whether a step must re-emit a key: its own, or, as the last step, one that no step of the pipeline owns. */
export function keepsKey(name: FunctionName, kind: string, key: string): 'Own' | 'Unknown' | undefined {
  if (ownsKey(name, key)) return 'Own';
  const pipeline = pipelines[kind] ?? [name];
  const isLast = pipeline.at(-1) === name;
  return isLast && !pipeline.some((step) => ownsKey(step, key)) ? 'Unknown' : undefined;
}
