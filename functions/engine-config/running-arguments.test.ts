import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { runningArguments } from './running-arguments.ts';

const older = ['model', '--max-num-seqs=8', '--port=8000'];
const newer = ['model', '--max-num-seqs=16', '--port=8000'];
const port = { flag: '--port', value: '8000', setBy: 'computed', reason: 'asked there' } as const;
const flags = [{ flag: '--max-num-seqs', value: '16', setBy: 'computed', reason: 'sized' } as const, port];

function workload(args: readonly string[], kind = 'Deployment'): KubernetesObject {
  const template = { spec: { containers: [{ name: 'sidecar' }, { name: 'engine', args }] } };
  const spec = kind === 'Deployment' ? { template } : { leaderWorkerTemplate: { leaderTemplate: template } };
  return { apiVersion: 'v1', kind, metadata: { name: 'llama-0' }, spec };
}

interface Row {
  readonly running?: KubernetesObject;
  readonly rendered: KubernetesObject;
}

function ask({ running, rendered }: Row) {
  const observed = new Map(running === undefined ? [] : [['workload-engine', running]]);
  const engine = { revision: 'new', strategy: 'Recreate', objects: { 'workload-engine': { ...rendered } } };
  return runningArguments({ observed, rendered: engine, args: newer, flags });
}

const asked = { args: newer, flags };

describe('S5 the arguments that a status shows', () => {
  const rows: readonly [string, Row, unknown][] = [
    ['are the rendered ones while nothing runs', { rendered: workload(newer) }, asked],
    ['are the rendered ones while those run', { running: workload(newer), rendered: workload(newer) }, asked],
    [
      'are those that run after going back, explained where they are the same',
      { running: workload(older), rendered: workload(newer) },
      { args: older, flags: [port] },
    ],
    [
      'are those of the leader of a gang',
      { running: workload([...older, '--nnodes=2'], 'LeaderWorkerSet'), rendered: workload(newer, 'LeaderWorkerSet') },
      { args: [...older, '--nnodes=2'], flags: [port] },
    ],
    [
      'explain a flag whose value is a word of its own',
      { running: workload(['model', '--port', '8000']), rendered: workload(newer) },
      { args: ['model', '--port', '8000'], flags: [port] },
    ],
  ];
  test.each(rows)('%s', (_name, row, expected) => {
    expect(ask(row)).toEqual(expected);
  });
});
