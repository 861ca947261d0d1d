import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { describeClaims } from './describe-claims.ts';

const now = new Date('2026-12-01T12:10:30Z');

function xrOf(
  kind: string,
  name: string,
  fields: { status?: object; spec?: object; labels?: Record<string, string> } = {},
): KubernetesObject {
  const { labels, ...rest } = fields;
  const metadata = { name, namespace: 'chat', ...(labels === undefined ? {} : { labels }) };
  return { apiVersion: 'modelberth.dev/v1alpha1', kind, metadata, ...rest };
}

const rowOf = (name: string, kind: string, since?: string) => ({
  name,
  kind,
  state: 'Asked',
  why: 'asked',
  ...(since === undefined ? {} : { since }),
});
const fit = {
  verdict: 'Fit',
  tight: false,
  terms: [
    { name: 'visible', gib: 22.03 },
    { name: 'requested', gib: 19.83 },
    { name: 'weights', gib: 14.96 },
    { name: 'kvCache', gib: 4.25 },
  ],
  kvTokens: 34_816,
  concurrency: 2.125,
  contextTokens: 16_384,
};
const model = { name: 'meta-llama/Llama-3.1-8B-Instruct' };
const placedStatus = { fit, model: { shape: '1 x L4', priceReadOn: '2026-07-20' }, usdPerHour: 0.8048 };
const llama = xrOf('ModelDeployment', 'llama', { spec: { model }, status: placedStatus });
const replica = (status: object) =>
  xrOf('ModelReplica', 'llama-0', { labels: { 'modelberth.dev/deployment': 'llama' }, status });
const service = (status: object) =>
  xrOf('ModelService', 'llama', { spec: { routes: [{ deploymentName: 'llama' }] }, status });

describe('describeClaims', () => {
  test('gives a deployment its model, shape, fit and price with its day as title', () => {
    const resources = [rowOf('llama-0', 'ModelReplica'), rowOf('x', 'Service')];
    expect(
      describeClaims(
        [xrOf('ModelDeployment', 'llama', { spec: { model }, status: { ...placedStatus, resources } })],
        now,
      )[0]?.title,
    ).toBe(
      'llama  Llama-3.1-8B-Instruct on 1 x L4   Fit: weights 15.0 + KV 4.3 + other 0.6 of 22.0 GiB; 34k tokens, 2.1x at 16k   USD 0.80/h (2026-07-20)',
    );
  });

  test('shows the resources of its replicas and services with it, how long they wait, and no row of the replica itself', () => {
    const xrs = [
      service({ resources: [rowOf('llama', 'AIGatewayRoute')] }),
      replica({ resources: [rowOf('llama-0-l4', 'NodeGroup', '2026-12-01T12:00:00Z')], next: 'ask l40s' }),
      { ...llama, status: { ...placedStatus, resources: [rowOf('llama-0', 'ModelReplica')] } },
    ];
    const [report, ...others] = describeClaims(xrs, now);
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      rows: [
        { resource: 'llama-0-l4', kind: 'NodeGroup', state: 'Asked', why: 'asked after 10 min' },
        { resource: 'llama', kind: 'AIGatewayRoute', state: 'Asked', why: 'asked' },
      ],
      notes: ['Next: ask l40s'],
      refused: false,
    });
  });

  test('leaves out what has neither resources nor trouble', () => {
    expect(describeClaims([xrOf('InferenceClass', 'l4', { status: { admits: {} } })], now)).toEqual([]);
  });

  test('shows a replica and a service of no deployment by themselves', () => {
    const alone = [
      xrOf('ModelReplica', 'old-0', { status: { resources: [rowOf('a', 'NodeGroup')] } }),
      service({ resources: [rowOf('b', 'Backend')] }),
    ];
    expect(describeClaims(alone, now).map(({ title }) => title)).toEqual([
      'old-0  ModelReplica',
      'llama  ModelService',
    ]);
  });

  test('refuses a service whose deployment was not given, and names it', () => {
    const routed = service({ resources: [rowOf('b', 'Backend')] });
    const lama = { ...llama, metadata: { ...llama.metadata, name: 'lama' } };
    expect(describeClaims([routed, lama], now).find(({ title }) => title === 'llama  ModelService')).toMatchObject({
      refused: true,
      notes: [
        'ModelService "llama": spec.routes[0].deploymentName names "llama", and there is no ModelDeployment of namespace "chat" of that name; did you mean "lama"?',
      ],
    });
    expect(describeClaims([routed, llama], now).map(({ refused }) => refused)).toEqual([false]);
  });

  test('S5 shows no duration for a moment that is in the future or cannot be read', () => {
    const resources = [rowOf('a', 'NodeGroup', '2999-01-01T00:00:00Z'), rowOf('b', 'NodeGroup', 'yesterday')];
    const [report] = describeClaims([xrOf('ModelReplica', 'r', { status: { resources } })], now);
    expect(report?.rows.map(({ why }) => why)).toEqual(['asked', 'asked']);
  });
});

describe('S6 a claim is refused', () => {
  const conditionOf = (type: string, status: string, reason: string) => ({ type, status, reason, message: 'Why' });
  const rows: readonly [string, ReturnType<typeof conditionOf>, boolean][] = [
    ['when it does not fit', conditionOf('Fits', 'False', 'Misfit'), true],
    ['when it costs too much', conditionOf('Placed', 'False', 'OverBudget'), true],
    ['when a class is missing', conditionOf('Placed', 'Unknown', 'ClassMissing'), true],
    ['when a field is wrong', conditionOf('RolledOut', 'Unknown', 'InvalidSpec'), true],
    ['when a step failed', conditionOf('EngineConfigured', 'Unknown', 'InternalError'), true],
    ['when the engine has failed', conditionOf('EngineReady', 'False', 'EngineFailed'), true],
    ['when its quota is used up', conditionOf('Placed', 'False', 'NodeGroupQuota'), true],
    ['not while it waits for nodes', conditionOf('Placed', 'False', 'WaitingForNodes'), false],
    ['not while it has not been observed', conditionOf('Routable', 'Unknown', 'NotObserved'), false],
    ['not when no service names it', conditionOf('Routable', 'Unknown', 'NoService'), false],
    ['not when all is well', conditionOf('Placed', 'True', 'NodesUsable'), false],
    ["not by core's own conditions", conditionOf('Ready', 'False', 'Creating'), false],
  ];
  test.each(rows)('%s', (_name, condition, refused) => {
    const [report] = describeClaims(
      [
        xrOf('ModelDeployment', 'llama', {
          spec: { model },
          status: { conditions: [condition], resources: [rowOf('a', 'b')] },
        }),
      ],
      now,
    );
    expect(report).toMatchObject({
      refused,
      notes: refused ? [`ModelDeployment llama: ${condition.type}=${condition.status} ${condition.reason}: Why`] : [],
    });
  });

  test('not for a field that does not act yet, which is noted once, for the deployment and not for its replica', () => {
    const conditions = [conditionOf('EveryFieldActs', 'False', 'FieldNotActing')];
    const xrs = [
      xrOf('ModelDeployment', 'llama', { spec: { model }, status: { conditions } }),
      replica({ conditions }),
    ];
    expect(describeClaims(xrs, now)).toMatchObject([{ refused: false, notes: ['FieldNotActing: Why'] }]);
  });

  test('for its cause alone, without the missing hand-off that follows', () => {
    const conditions = [
      conditionOf('Placed', 'Unknown', 'ClassMissing'),
      conditionOf('RolledOut', 'Unknown', 'HandOffMissing'),
    ];
    const reports = describeClaims(
      [xrOf('ModelDeployment', 'llama', { spec: { model }, status: { conditions } })],
      now,
    );
    expect(reports.map(({ notes }) => notes)).toEqual([['ModelDeployment llama: Placed=Unknown ClassMissing: Why']]);
  });
});
