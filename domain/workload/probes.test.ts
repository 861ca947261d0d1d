import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readList, readPath } from '../kubernetes/object.ts';
import { gracePeriodSeconds, longestStreamSeconds, preStop, probes } from './probes.ts';
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

/** The Python text that runs before the engine is stopped. */
function readScript(type: 'vLLM' | 'SGLang' = 'vLLM'): string {
  return String(readList(preStop(type), ['exec', 'command']).at(-1));
}

test('L33 the engine is killed only after the gateway has learnt of it and the longest stream has ended', () => {
  const settle = Number(/time\.sleep\((\d+)\)/.exec(readScript())?.[1]);
  expect(settle).toBeGreaterThanOrEqual(10);
  expect(gracePeriodSeconds).toBeGreaterThanOrEqual(settle + longestStreamSeconds + 30);
});

/** The expression by which the script counts requests, as JavaScript has it: both dialects read this part alike. */
function countedPattern(type: 'vLLM' | 'SGLang' = 'vLLM'): RegExp {
  const [, pattern = ''] = /re\.findall\(r"([^"]+)"/.exec(readScript(type)) ?? [];
  return new RegExp(pattern, 'gm');
}

const metrics: readonly [string, string, readonly string[]][] = [
  [
    'requests run and wait',
    'vllm:num_requests_running{engine="0",model_name="chat/llama"} 3.0\nvllm:num_requests_waiting{engine="0"} 1.0',
    ['3.0', '1.0'],
  ],
  ['there are no labels', 'vllm:num_requests_running 0.0', ['0.0']],
  ['other metrics begin alike', 'vllm:num_requests_running_total 7\n# HELP vllm:num_requests_running x 9', []],
  [
    'several engines report',
    'vllm:num_requests_running{engine="0"} 1\nvllm:num_requests_running{engine="1"} 2',
    ['1', '2'],
  ],
];

test.each(metrics)('L39 the drain before a stop counts what the engine still does when %s', (_name, text, expected) => {
  expect([...text.matchAll(countedPattern())].map(([, count]) => count)).toEqual(expected);
});

test('L39 the drain before a stop has an end of its own inside the grace period', () => {
  expect(readPath(preStop('vLLM'), ['exec', 'command'])).toEqual(['python3', '-c', readScript()]);
  expect(readScript()).toContain(`end = time.monotonic() + ${longestStreamSeconds}\nwhile time.monotonic() < end:`);
  expect(longestStreamSeconds).toBeLessThan(gracePeriodSeconds);
});

test('L39 the drain before a stop reads the gauges of SGLang by their own names', () => {
  const text =
    'sglang:num_running_reqs{model_name="chat/llama"} 2.0\nsglang:num_queue_reqs 1.0\nvllm:num_requests_running 9';
  expect([...text.matchAll(countedPattern('SGLang'))].map(([, count]) => count)).toEqual(['2.0', '1.0']);
});
