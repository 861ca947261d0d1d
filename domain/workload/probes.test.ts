import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPath } from '../kubernetes/object.ts';
import { probes } from './probes.ts';
import type { WorkloadQuestion } from './workload-question.ts';

function question(weightBytes: number): WorkloadQuestion {
  return {
    replica: 'llama-0',
    namespace: 'chat',
    labels: {},
    selector: {},
    revision: '5eed0001',
    rung: 'l4/1x1-tp1-pp1/OnDemand',
    model: { name: 'Qwen/Qwen3-8B' },
    engine: { type: 'vLLM', image: 'vllm/vllm-openai:v0.19.0', args: [] },
    args: [],
    shape: { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 },
    vendor: 'NVIDIA',
    productName: 'NVIDIA L4',
    allocation: 'DRA',
    nodeGroups: [],
    smallestNode: { cpu: 1000, memory: 1e10 },
    weightBytes,
  };
}

const health = { httpGet: { path: '/health', port: 'http' } };

test('every probe asks /health by the name of the port', () => {
  expect(probes(question(16_063_177_687))).toEqual({
    startupProbe: { ...health, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 93 },
    readinessProbe: { ...health, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 2 },
    livenessProbe: { ...health, periodSeconds: 30, timeoutSeconds: 20, failureThreshold: 6 },
  });
});

test('L39 the start has time for a slow download of every byte, and more for more bytes', () => {
  const budget = (bytes: number) => {
    const startup = readPath(probes(question(bytes)), ['startupProbe']) as {
      periodSeconds: number;
      failureThreshold: number;
    };
    return startup.periodSeconds * startup.failureThreshold;
  };
  const someBytes = fc.integer({ min: 0, max: 1e12 });
  fc.assert(
    fc.property(someBytes, someBytes, (left, right) => {
      expect(budget(left)).toBeGreaterThanOrEqual(600 + left / 50e6);
      expect(budget(Math.max(left, right))).toBeGreaterThanOrEqual(budget(Math.min(left, right)));
    }),
  );
});
