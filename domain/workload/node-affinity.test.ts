import { describe, expect, test } from 'vitest';
import { nodeAffinity, placeAnnotations, tolerations } from './node-affinity.ts';
import type { WorkloadQuestion } from './workload-question.ts';

const onGroups = {
  rung: 'l4/1x1-tp1-pp1/OnDemand',
  vendor: 'NVIDIA',
  nodeGroups: ['g-1', 'g-2'],
} as unknown as WorkloadQuestion;
const pool = {
  nodeSelector: { 'vultr.com/gpu': 'mi300x', 'example.com/rack': '7' },
  taints: [
    { key: 'amd.com/gpu', effect: 'NoSchedule' },
    { key: 'amd.com/gpu', effect: 'NoExecute' },
  ],
  nodes: ['n1', 'n2'],
};
const onPool = { rung: 'mi300x/2x8-tp8-pp2/pool/vultr', vendor: 'AMD', pool } as unknown as WorkloadQuestion;

function termsOf(question: WorkloadQuestion): unknown {
  const { nodeAffinity: affinity } = nodeAffinity(question) as Record<string, Record<string, Record<string, unknown>>>;
  return affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
}

describe('nodeAffinity', () => {
  test('takes the nodes of the groups', () => {
    expect(termsOf(onGroups)).toEqual([
      { matchExpressions: [{ key: 'eks.amazonaws.com/nodegroup', operator: 'In', values: ['g-1', 'g-2'] }] },
    ]);
  });

  test('S2 takes the granted nodes of a pool and no other, each by its name and only while it has the labels', () => {
    const matchExpressions = [
      { key: 'example.com/rack', operator: 'In', values: ['7'] },
      { key: 'vultr.com/gpu', operator: 'In', values: ['mi300x'] },
    ];
    expect(termsOf(onPool)).toEqual(
      ['n1', 'n2'].map((node) => ({
        matchExpressions,
        matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }],
      })),
    );
  });
});

test('tolerations are ours, those that the installers of the vendors put, and the taints of the pool, each once', () => {
  const said = (question: WorkloadQuestion) => tolerations(question).map(({ key, effect }) => `${key}:${effect}`);
  expect(said(onGroups)).toEqual(['modelberth.dev/accelerator:NoSchedule', 'nvidia.com/gpu:NoSchedule']);
  expect(said(onPool)).toEqual([
    'modelberth.dev/accelerator:NoSchedule',
    'nvidia.com/gpu:NoSchedule',
    'amd.com/gpu:NoSchedule',
    'amd.com/gpu:NoExecute',
  ]);
});

test('S1 a workload remembers its rung, and of a pool its nodes', () => {
  expect(placeAnnotations(onGroups)).toEqual({ 'modelberth.dev/rung': onGroups.rung });
  expect(placeAnnotations(onPool)).toEqual({
    'modelberth.dev/rung': onPool.rung,
    'modelberth.dev/pool-nodes': 'n1,n2',
  });
});
