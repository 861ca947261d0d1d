import { expect, test } from 'vitest';
import { readList, readPath } from '../kubernetes/object.ts';
import { type Drain, gracePeriodSeconds, preStop } from './drain.ts';

/** The Python text that runs before the engine is stopped. */
function readScript(type: 'vLLM' | 'SGLang' = 'vLLM'): string {
  return String(readList(preStop(type, undefined), ['exec', 'command']).at(-1));
}

test('L33 the engine is killed only after the gateway has learnt of it and the longest stream has ended', () => {
  const settle = Number(/time\.sleep\((\d+)\)/.exec(readScript())?.[1]);
  expect(settle).toBeGreaterThanOrEqual(10);
  expect(gracePeriodSeconds(undefined)).toBeGreaterThanOrEqual(settle + 3600 + 30);
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
  expect(readPath(preStop('vLLM', undefined), ['exec', 'command'])).toEqual(['python3', '-c', readScript()]);
  expect(readScript()).toContain('end = time.monotonic() + 3600\nwhile time.monotonic() < end:');
  expect(gracePeriodSeconds(undefined)).toBeGreaterThan(3600);
});

const stated: readonly [string, Drain, number, number, number][] = [
  ['nothing is stated', {}, 15, 3600, 3660],
  ['streams are short', { longestStreamSeconds: 60 }, 15, 60, 120],
  ['the gateway learns late', { settleSeconds: 120 }, 120, 3600, 3765],
  ['nobody streams and nobody has to learn', { settleSeconds: 0, longestStreamSeconds: 0 }, 0, 0, 45],
];

test.each(stated)('L39 the drain is as the author states it, and the grace period follows, when %s', (...row) => {
  const [, drain, settle, longest, grace] = row;
  const script = String(readList(preStop('vLLM', drain), ['exec', 'command']).at(-1));
  expect(script).toContain(`time.sleep(${settle})\nend = time.monotonic() + ${longest}\n`);
  expect(gracePeriodSeconds(drain)).toBe(grace);
});

test('L39 the drain before a stop reads the gauges of SGLang by their own names', () => {
  const text =
    'sglang:num_running_reqs{model_name="chat/llama"} 2.0\nsglang:num_queue_reqs 1.0\nvllm:num_requests_running 9';
  expect([...text.matchAll(countedPattern('SGLang'))].map(([, count]) => count)).toEqual(['2.0', '1.0']);
});
