import { expect, test } from 'vitest';
import type { RenderOutput } from '../../cli/crossplane/render-output.ts';
import { canonical, printedPart } from './canonical.ts';

const composite = { apiVersion: 'modelberth.dev/v1alpha1', kind: 'ModelService', metadata: { name: 'llama' } };

/** A render as core answers it: random order, its own labels, times and narration. */
const byCore: RenderOutput = {
  composite: {
    ...composite,
    metadata: { name: 'llama', namespace: 'team-a', uid: '1', labels: { a: 'b' } },
    spec: { crossplane: {} },
    status: {
      address: 'llm.example.com',
      conditions: [
        { type: 'Responsive', status: 'True', lastTransitionTime: '2026-12-01T00:00:00Z' },
        { type: 'Synced', status: 'True', lastTransitionTime: '2026-12-01T00:00:00Z', observedGeneration: 2 },
        { type: 'Ready', status: 'False', lastTransitionTime: '2026-12-01T00:00:00Z', message: 'Unready' },
      ],
    },
  },
  composed: [
    composed('gateway-b', { 'crossplane.io/composite': 'llama', team: 'a' }),
    composed('gateway-a', { 'crossplane.io/composite': 'llama' }),
  ],
  deleted: [composed('gateway-d', {}), composed('gateway-c', {})],
  events: [
    { type: 'Normal', reason: 'SelectComposition', message: 'Successfully selected composition: x' },
    { type: 'Warning', reason: 'NamespaceOverridden', message: 'Overridden' },
    { type: 'Normal', reason: 'Routed', message: 'Pipeline step "gateway": Routable: yes' },
  ],
  requiredResources: [
    { kind: 'Node', apiVersion: 'v1', matchLabels: { b: '2', a: '1' } },
    { apiVersion: 'v1', kind: 'ConfigMap', matchName: 'x' },
    { apiVersion: 'v1', kind: 'Node', matchLabels: { a: '1', b: '2' } },
  ],
  requiredSchemas: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
};

function composed(key: string, labels: Readonly<Record<string, string>>) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: `${key}-1`,
      generateName: 'llama-',
      annotations: { 'crossplane.io/composition-resource-name': key },
      labels,
      ownerReferences: [{ apiVersion: 'v1', kind: 'ModelService', name: 'llama', uid: '1', controller: true }],
    },
  };
}

const expected = {
  composite: {
    ...composite,
    metadata: { name: 'llama', namespace: 'team-a' },
    status: {
      address: 'llm.example.com',
      conditions: [
        { type: 'Ready', status: 'False', message: 'Unready' },
        { type: 'Synced', status: 'True' },
      ],
    },
  },
  composed: [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'gateway-a-1', annotations: { 'crossplane.io/composition-resource-name': 'gateway-a' } },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'gateway-b-1',
        annotations: { 'crossplane.io/composition-resource-name': 'gateway-b' },
        labels: { team: 'a' },
      },
    },
  ],
  deleted: ['Service/gateway-c-1', 'Service/gateway-d-1'],
  events: [
    { type: 'Warning', reason: 'NamespaceOverridden', message: 'Overridden' },
    { type: 'Normal', reason: 'Routed', message: 'Pipeline step "gateway": Routable: yes' },
  ],
  requiredResources: [
    { apiVersion: 'v1', kind: 'ConfigMap', matchName: 'x' },
    { apiVersion: 'v1', kind: 'Node', matchLabels: { a: '1', b: '2' } },
  ],
  requiredSchemas: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
};

test('canonical keeps what is asserted and drops what only core adds when core rendered', () => {
  expect(canonical(byCore)).toEqual(expected);
});

test('canonical writes the same bytes when lists come in another order', () => {
  const reversed: RenderOutput = {
    ...byCore,
    composed: [...byCore.composed].reverse(),
    deleted: [...byCore.deleted].reverse(),
    requiredResources: [...byCore.requiredResources].reverse(),
  };
  expect(JSON.stringify(canonical(reversed))).toBe(JSON.stringify(canonical(byCore)));
});

test('printedPart leaves out deletions and requirements because the CLI prints neither', () => {
  const { composite: xr, composed: resources, events } = expected;
  expect(printedPart(canonical(byCore))).toEqual({ composite: xr, composed: resources, events });
});
