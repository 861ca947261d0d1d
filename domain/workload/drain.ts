import { z } from 'zod';
import type { Engine } from '../engine/engine.ts';
import { enginePort } from '../engine/engine-port.ts';
import { leaderAddressVariable } from '../engine/list-arguments.ts';

/** How a pod that must go lets its requests end. It is part of the pod, so a change is a new revision. */
export const Drain = z
  .object({
    settleSeconds: z
      .int32()
      .min(0)
      .max(300)
      .optional()
      .describe(
        'Seconds in which the gateway learns that a pod is leaving, before it looks for its last request. Default 15.',
      ),
    longestStreamSeconds: z
      .int32()
      .min(0)
      .max(86_400)
      .optional()
      .describe(
        'Seconds that a pod which must go waits for its last request at most; what still runs then is cut. Default 3600.',
      ),
  })
  .describe('How a pod that must go lets its requests end. A change is a new revision.');
export type Drain = z.output<typeof Drain>;

/** The gateway's own limit for an idle stream; it lagged behind a pod by up to two minutes in one case (L33). */
const presets = { settleSeconds: 15, longestStreamSeconds: 3600 };
/** Seconds that the engine may take to end once its last request has. */
const shutdownSeconds = 45;

/**
 * Waits until the metrics of the replica's leader count no request, at most as long as the longest stream. A worker
 * waits for its leader: without it every running stream would end.
 */
export function preStop(type: Engine['type'], drain: Drain | undefined): Record<string, unknown> {
  return { exec: { command: ['python3', '-c', waitForRequests(requestGauges[type], complete(drain))] } };
}

/** The gauges by which each engine tells what runs and what waits, as the start of a line of its metrics. */
const requestGauges = {
  vLLM: 'vllm:num_requests_(?:running|waiting)',
  SGLang: 'sglang:num_(?:running|queue)_reqs',
} as const;

function complete(drain: Drain | undefined): typeof presets {
  const { settleSeconds, longestStreamSeconds } = drain ?? {};
  return {
    settleSeconds: settleSeconds ?? presets.settleSeconds,
    longestStreamSeconds: longestStreamSeconds ?? presets.longestStreamSeconds,
  };
}

function waitForRequests(gauges: string, { settleSeconds, longestStreamSeconds }: typeof presets): string {
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
export function gracePeriodSeconds(drain: Drain | undefined): number {
  const { settleSeconds, longestStreamSeconds } = complete(drain);
  return settleSeconds + longestStreamSeconds + shutdownSeconds;
}
