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
