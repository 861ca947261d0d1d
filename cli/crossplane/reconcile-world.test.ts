import { join } from 'node:path';
import { Ready, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { surroundings } from '../../test/render/surroundings.ts';
import { readObjects } from '../read-objects.ts';
import type { CallFunction } from './function-client.ts';
import { type LocalFunctions, startLocalFunctions } from './local-functions.ts';
import { readInstalledKinds } from './package-files.ts';
import { reconcileWorld, type WorldResult } from './reconcile-world.ts';

const kinds = readInstalledKinds();
const empty = RunFunctionResponse.decode(new Uint8Array());

function xrOf(kind: string, name: string, namespace?: string): KubernetesObject {
  return {
    apiVersion: 'modelberth.dev/v1alpha1',
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    spec: {},
  };
}

async function reconcile(
  given: readonly KubernetesObject[],
  call: CallFunction,
  observed: readonly KubernetesObject[] = [],
): Promise<WorldResult> {
  return await reconcileWorld({ given, observed, kinds, call, schema: () => undefined });
}

/** A call that composes a replica for a deployment, and says in every status what it observed. */
function composeReplicas(): CallFunction {
  return async (_name, request) => {
    const subject = request.observed?.composite?.resource as KubernetesObject | undefined;
    const name = subject?.metadata.name ?? '';
    const replica = { ...xrOf('ModelReplica', `${name}-0`), spec: { index: 0 } };
    const resource = { resource: replica, connectionDetails: {}, ready: Ready.READY_TRUE };
    const status = { seen: Object.keys(request.observed?.resources ?? {}) };
    return {
      ...empty,
      desired: {
        composite: { resource: { status }, connectionDetails: {}, ready: Ready.READY_TRUE },
        resources: subject?.kind === 'ModelDeployment' ? { 'replica-0': resource } : {},
      },
    };
  };
}

function identities({ outputs }: WorldResult): readonly string[] {
  return outputs.map(({ composite: { kind, metadata } }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
}

describe('reconcileWorld', () => {
  test('reconciles in the order in which kinds read each other, by namespace and name', async () => {
    const given = [
      xrOf('ModelService', 's', 'chat'),
      xrOf('InferenceCluster', 'b'),
      xrOf('InferenceCluster', 'a'),
      xrOf('InferenceClass', 'z'),
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } },
    ];
    expect(identities(await reconcile(given, async () => empty))).toEqual([
      'InferenceClass /z',
      'InferenceCluster /a',
      'InferenceCluster /b',
      'ModelService chat/s',
    ]);
  });

  test('follows the XRs that it composes, in the namespace of their owner', async () => {
    const result = await reconcile([xrOf('ModelDeployment', 'llama', 'chat')], composeReplicas());
    expect(identities(result)).toEqual(['ModelDeployment chat/llama', 'ModelReplica chat/llama-0']);
    expect(result).toMatchObject({ settled: true, rounds: 3 });
  });

  test('keeps two of one name in two namespaces apart', async () => {
    const given = [xrOf('ModelDeployment', 'llama', 'chat'), xrOf('ModelDeployment', 'llama', 'batch')];
    expect(identities(await reconcile(given, composeReplicas()))).toEqual([
      'ModelDeployment batch/llama',
      'ModelDeployment chat/llama',
      'ModelReplica batch/llama-0',
      'ModelReplica chat/llama-0',
    ]);
  });

  test('S5 feeds the status of a composed XR back to its owner as observed', async () => {
    const { outputs } = await reconcile([xrOf('ModelDeployment', 'llama', 'chat')], composeReplicas());
    expect(outputs[0]?.composite.status).toMatchObject({ seen: ['replica-0'] });
  });

  test('S5 takes no other composed object for observed', async () => {
    const seen: string[][] = [];
    const call: CallFunction = async (_name, request) => {
      seen.push(Object.keys(request.observed?.resources ?? {}));
      const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' } };
      return {
        ...empty,
        desired: {
          composite: undefined,
          resources: { s: { resource: service, connectionDetails: {}, ready: Ready.READY_TRUE } },
        },
      };
    };
    await reconcile([xrOf('InferenceGateway', 'g')], call);
    expect(seen.flat()).toEqual([]);
  });

  const annotations = { 'crossplane.io/composition-resource-name': 'engine-s' };
  const owner = { apiVersion: 'modelberth.dev/v1alpha1', kind: 'ModelReplica', name: 'llama-0', uid: 'any' };
  const service = (metadata: object): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's', annotations, ...metadata },
  });
  const owned: readonly [string, KubernetesObject, readonly string[]][] = [
    ['by its owner', service({ namespace: 'chat', ownerReferences: [owner] }), ['engine-s']],
    [
      "by core's label where it has no owner",
      service({ namespace: 'chat', labels: { 'crossplane.io/composite': 'llama-0' } }),
      ['engine-s'],
    ],
    ['not in another namespace', service({ namespace: 'batch', ownerReferences: [owner] }), []],
    ['not of another owner', service({ namespace: 'chat', ownerReferences: [{ ...owner, name: 'other-0' }] }), []],
    [
      'not of another kind of owner',
      service({ namespace: 'chat', ownerReferences: [{ ...owner, kind: 'ModelService' }] }),
      [],
    ],
    [
      'not without a key',
      { ...service({}), metadata: { name: 's', namespace: 'chat', ownerReferences: [owner] as never } },
      [],
    ],
  ];
  test.each(owned)('knows what an XR has composed %s', async (_name, object, keys) => {
    const { outputs } = await reconcile([xrOf('ModelReplica', 'llama-0', 'chat')], composeReplicas(), [object]);
    expect(outputs[0]?.composite.status).toMatchObject({ seen: keys });
  });

  test('ends after eight rounds when something changes in each, and says so', async () => {
    let calls = 0;
    const restless: CallFunction = async () => {
      calls += 1;
      return {
        ...empty,
        desired: { composite: { resource: { status: { calls } }, connectionDetails: {}, ready: 0 }, resources: {} },
      };
    };
    const { settled, rounds } = await reconcile([xrOf('InferenceClass', 'l4')], restless);
    expect({ settled, rounds, calls }).toEqual({ settled: false, rounds: 8, calls: 8 });
  });

  test('fills in the defaults of the schema', async () => {
    const specs: unknown[] = [];
    const call: CallFunction = async (_name, request) => {
      specs.push(request.observed?.composite?.resource?.spec);
      return empty;
    };
    await reconcile([{ ...xrOf('InferenceCluster', 'europe'), spec: { eks: {} } }], call);
    expect(specs[0]).toEqual({
      eks: { providerConfigName: 'default' },
      access: { type: 'Local', namespace: 'crossplane-system', namespacePrefix: '' },
      allocation: 'DRA',
      namespaces: { gateway: 'envoy-gateway-system', monitoring: 'monitoring' },
      maxNodeGroups: 30,
      guardrails: { trustRemoteCode: 'Refuse' },
    });
  });
});

describe('reconcileWorld with the real functions', () => {
  let functions: LocalFunctions;
  beforeAll(async () => {
    functions = await startLocalFunctions(surroundings.now);
  });
  afterAll(() => functions.stop());

  test('settles the example, with a replica of the claim among its XRs', async () => {
    const given = readObjects(join(import.meta.dirname, '../../examples/hello'));
    const result = await reconcileWorld({
      given,
      observed: [],
      kinds,
      call: functions.call,
      schema: () => ({ type: 'object' }),
    });
    expect(identities(result)).toEqual([
      'InferenceClass /l4',
      'InferenceClass /l40s',
      'InferenceCluster /europe',
      'InferenceGateway /inference',
      'ModelDeployment chat/llama',
      'ModelReplica chat/llama-0',
      'ModelService chat/llama',
    ]);
    expect(result.settled).toBe(true);
  });
});
