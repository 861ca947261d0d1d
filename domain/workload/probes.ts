import type { Engine } from '../engine/engine.ts';
import { enginePort } from '../engine/engine-port.ts';
import { leaderAddressVariable } from '../engine/list-arguments.ts';
import type { WorkloadQuestion } from './workload-question.ts';

/** Bytes per second at which weights are assumed to arrive and load: a slow hub download, so that no good start is killed. */
const loadBytesPerSecond = 50e6;
/** Seconds for everything in a start that does not grow with the weights: image pull aside, compilation and graph capture. */
const startSeconds = 600;
const startupPeriodSeconds = 10;

/** Startup waits for the weights; readiness turns traffic off quickly; liveness tolerates a long prefill. */
export function probes(question: WorkloadQuestion): Record<string, unknown> {
  const budget = startSeconds + Math.ceil(question.weightBytes / loadBytesPerSecond);
  const check = { httpGet: { path: '/health', port: 'http' } };
  return {
    startupProbe: {
      ...check,
      periodSeconds: startupPeriodSeconds,
      timeoutSeconds: 5,
      failureThreshold: Math.ceil(budget / startupPeriodSeconds),
    },
    readinessProbe: { ...check, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 2 },
    livenessProbe: { ...check, periodSeconds: 30, timeoutSeconds: 20, failureThreshold: 6 },
  };
}

/** The longest stream that a stopping engine waits for, in seconds; the gateway's own limit for an idle stream. */
export const longestStreamSeconds = 3600;

/** Seconds in which the gateway learns that the pod is leaving; it lagged by up to two minutes in one case (L33). */
const settleSeconds = 15;

/**
 * Waits until the metrics of the replica's leader count no request, at most as long as the longest stream. A worker
 * waits for its leader: without it every running stream would end.
 */
export function preStop(type: Engine['type']): Record<string, unknown> {
  return { exec: { command: ['python3', '-c', waitForRequests(requestGauges[type])] } };
}

/** The gauges by which each engine tells what runs and what waits, as the start of a line of its metrics. */
const requestGauges = {
  vLLM: 'vllm:num_requests_(?:running|waiting)',
  SGLang: 'sglang:num_(?:running|queue)_reqs',
} as const;

function waitForRequests(gauges: string): string {
  return [
    'import os, re, time, urllib.request',
    `leader = os.environ.get("${leaderAddressVariable}", "127.0.0.1")`,
    `time.sleep(${settleSeconds})`,
    `end = time.monotonic() + ${longestStreamSeconds}`,
    'while time.monotonic() < end:',
    '    try:',
    `        text = urllib.request.urlopen(f"http://{leader}:${enginePort}/metrics", timeout=5).read().decode()`,
    '    except OSError:',
    '        break',
    `    counts = re.findall(r"^${gauges}(?:\\{[^}]*\\})? (\\S+)$", text, re.M)`,
    '    if sum(float(count) for count in counts) == 0:',
    '        break',
    '    time.sleep(2)',
  ].join('\n');
}

/** Seconds between the order to stop and the kill: settling, the longest stream, and a margin for the shutdown. */
export const gracePeriodSeconds = settleSeconds + longestStreamSeconds + 45;
