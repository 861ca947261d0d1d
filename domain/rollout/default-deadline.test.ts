import { expect, test } from 'vitest';
import { defaultDeadlineMinutes } from './default-deadline.ts';

const podSpec = { containers: [{ startupProbe: { failureThreshold: 92, periodSeconds: 10 } }, { name: 'sidecar' }] };

const table: readonly [string, Readonly<Record<string, Record<string, unknown>>>, number][] = [
  ['a Deployment loads for at most 920 seconds', { 'workload-engine': { spec: { template: { spec: podSpec } } } }, 31],
  [
    'the workers of a gang load for at most 920 seconds',
    {
      'workload-gang': {
        spec: { leaderWorkerTemplate: { leaderTemplate: { spec: {} }, workerTemplate: { spec: podSpec } } },
      },
    },
    31,
  ],
  ['there is no startup probe', { 'workload-engine': { spec: {} } }, 15],
  ['there is no workload', { 'claim-a': { spec: { template: { spec: podSpec } } } }, 15],
];

test.each(table)(
  'L40 defaultDeadlineMinutes allows for the load and the pull of the image when %s',
  (_name, objects, minutes) => {
    expect(defaultDeadlineMinutes(objects)).toBe(minutes);
  },
);
