import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { composeRequest, helloObject, withSpec } from '../../test/compose-request.ts';
import { composeClass } from './compose-class.ts';

const l4 = helloObject('InferenceClass', 'l4');
const eksOf = (nodeTypes: unknown) => ({ eks: { nodeTypes } });
const nodeType = { instanceType: 'g6.xlarge', accelerators: 1, allocatableCpu: '3920m', allocatableMemory: '14162Mi' };

describe('composeClass says in Catalogued', () => {
  test('L7 what the class admits, each instance type and the range of prices', () => {
    expect(composeClass(composeRequest({ xr: l4 }))).toEqual({
      requirements: { resources: {} },
      composed: new Map(),
      status: {
        admits: {
          instanceTypes: ['g6.xlarge', 'g6.2xlarge'],
          acceleratorsPerNode: [1],
          usdPerHour: { least: 0.8048, most: 0.9776 },
        },
      },
      conditions: [{ type: 'Catalogued', status: 'True', reason: 'Complete', message: 'Every node type has a price' }],
      ready: true,
    });
  });

  test('L3 which types have no price, and where to set it', () => {
    const types = [8, 1, 4].map((accelerators) => ({
      ...nodeType,
      instanceType: `g6.${accelerators}xlarge`,
      accelerators,
    }));
    expect(
      composeClass(composeRequest({ xr: withSpec(l4, eksOf([{ ...nodeType, usdPerHour: 0.8 }, ...types])) })),
    ).toMatchObject({
      status: { admits: { acceleratorsPerNode: [1, 4, 8] } },
      conditions: [
        {
          type: 'Catalogued',
          status: 'False',
          reason: 'Incomplete',
          message: 'Cannot keep a budget on g6.8xlarge, g6.1xlarge, g6.4xlarge: set usdPerHour of spec.eks.nodeTypes',
        },
      ],
    });
  });

  test('L2 what a class declares and drivers are known not to publish, with both values', () => {
    const { accelerator } = l4.spec as { accelerator: Record<string, unknown> };
    const xr = withSpec(l4, { accelerator: { ...accelerator, memory: '24Gi' } });
    expect(composeClass(composeRequest({ xr }))).toMatchObject({
      conditions: [
        {
          type: 'Catalogued',
          status: 'True',
          reason: 'FactsDiffer',
          message:
            'spec.accelerator.memory is 24Gi, and drivers publish 23034Mi for NVIDIA L4; correct it, or keep it where the driver of your nodes says so',
        },
      ],
    });
  });

  test('L45 that EKS provides no node of a class that only pools provide', () => {
    expect(composeClass(composeRequest({ xr: withSpec(l4, { eks: undefined }) }))).toMatchObject({
      status: { admits: { instanceTypes: [], acceleratorsPerNode: [] } },
      conditions: [
        {
          type: 'Catalogued',
          status: 'True',
          reason: 'Complete',
          message: 'EKS provides no node of it: pools of an InferenceCluster do, each with its own price',
        },
      ],
      ready: true,
    });
  });

  describe('L3 with a cap for each namespace', () => {
    const capped = withSpec(l4, { guardrails: { perNamespace: { accelerators: 2 } } });
    const replica = (name: string, created: string, wantedAccelerators: number): KubernetesObject => ({
      apiVersion: 'modelberth.dev/v1alpha1',
      kind: 'ModelReplica',
      metadata: { name, namespace: 'chat', creationTimestamp: created },
      spec: { placement: { classes: ['l4'] } },
      status: {
        byClass: [{ class: 'l4', usdPerHour: 0, accelerators: 0, wantedUsdPerHour: 1, wantedAccelerators }],
      },
    });
    const requirements = {
      resources: {
        replicas: {
          apiVersion: 'modelberth.dev/v1alpha1',
          kind: 'ModelReplica',
          matchLabels: { 'app.kubernetes.io/managed-by': 'modelberth' },
        },
      },
    };

    test('S1 holds what it granted until the replicas have been fetched', () => {
      expect(composeClass(composeRequest({ xr: capped }))).toMatchObject({
        frozen: true,
        requirements,
        conditions: [{ type: 'Catalogued', status: 'Unknown', reason: 'WaitingForRequired' }],
      });
    });

    test('what it grants, the oldest replica first, over all clusters', () => {
      const replicas = [replica('b', '2026-12-02T00:00:00Z', 1), replica('a', '2026-12-01T00:00:00Z', 2)];
      expect(composeClass(composeRequest({ xr: capped, required: { replicas } }))).toMatchObject({
        requirements,
        status: {
          ledger: {
            grants: [
              { namespace: 'chat', replica: 'a', accelerators: 2 },
              { namespace: 'chat', replica: 'b', accelerators: 0 },
            ],
          },
        },
        conditions: [{ type: 'Catalogued', status: 'True' }],
      });
    });
  });

  const invalid: readonly [string, Record<string, unknown>, RegExp][] = [
    [
      'a field is missing',
      { accelerator: undefined },
      /^Cannot read InferenceClass "l4": spec\.accelerator: .*; correct the field$/,
    ],
    [
      'a quantity is none',
      eksOf([{ ...nodeType, allocatableMemory: '14 gigs' }]),
      /spec\.eks\.nodeTypes.0.*allocatableMemory: /,
    ],
    ['no type is listed', eksOf([]), /spec\.eks\.nodeTypes: .*1/],
    ['a price is negative', eksOf([{ ...nodeType, usdPerHour: -1 }]), /usdPerHour: .*0/],
  ];
  test.each(invalid)('S1 the field, and holds everything, when %s', (_name, fields, message) => {
    expect(composeClass(composeRequest({ xr: withSpec(l4, fields) }))).toEqual({
      frozen: true,
      requirements: { resources: {} },
      conditions: [
        { type: 'Catalogued', status: 'Unknown', reason: 'InvalidSpec', message: expect.stringMatching(message) },
      ],
    });
  });
});
