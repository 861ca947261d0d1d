import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { Readiness } from '../readiness/judge-readiness.ts';
import { type JudgeQuestion, judgeRevision, type RevisionVerdict } from './judge-revision.ts';
import { type RevisionMemory, toAnnotations } from './revision-memory.ts';

const now = new Date('2026-12-01T12:00:00Z');

function ago(minutes: number): string {
  return new Date(now.getTime() - minutes * 60_000).toISOString().replace('.000Z', 'Z');
}

function stored(hash: string, number: number, memory: RevisionMemory): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name: hash, annotations: { ...toAnnotations(memory) } },
    revision: number,
  };
}

function pod(revision: string, status: object = {}): KubernetesObject {
  const metadata = { name: `${revision}-x`, labels: { 'modelberth.dev/revision': revision } };
  return { apiVersion: 'v1', kind: 'Pod', metadata, status };
}

interface Row {
  /** Memory of the stored revisions, oldest first. */
  readonly stored: Readonly<Record<string, RevisionMemory>>;
  readonly live?: string;
  readonly readiness?: Readiness;
  readonly pods?: readonly KubernetesObject[];
  readonly runnable?: readonly string[];
  readonly onFailure?: 'GoBack' | 'Stay';
}

/** The claim asks for revision `new`, with a deadline of 30 minutes. */
function question(row: Row): JudgeQuestion {
  const { live = 'new', readiness = 'NotReady', pods = [pod('new')], onFailure = 'GoBack' } = row;
  const metadata = { name: 'llama-0', labels: { 'modelberth.dev/revision': live } };
  return {
    wanted: 'new',
    revisions: new Map(Object.entries(row.stored).map(([hash, memory], index) => [hash, stored(hash, index, memory)])),
    workload: { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 1 } },
    readiness,
    pods,
    runnable: new Set(row.runnable ?? Object.keys(row.stored)),
    policy: { deadlineMinutes: 30, onFailure },
    now,
  };
}

function summarize({ target, memory, failure, wakeInSeconds }: RevisionVerdict): Readonly<Record<string, unknown>> {
  return {
    target,
    ...(memory.size === 0 ? {} : { memory: Object.fromEntries(memory) }),
    ...(failure === undefined ? {} : { failure: failure.isGivenUp ? 'given up' : 'overdue' }),
    ...(wakeInSeconds === undefined ? {} : { wakeInSeconds }),
  };
}

const good = { startedAt: ago(600), goodAt: ago(590) };
const waiting = 'The engine runs and does not pass its readiness probe';
const crashes = {
  containerStatuses: [{ name: 'engine', restartCount: 3, lastState: { terminated: { exitCode: 1 } } }],
};

const table: readonly [string, Row, Readonly<Record<string, unknown>>][] = [
  ['it is not stored yet', { stored: { old: good }, live: 'old' }, { target: 'new' }],
  ['the workload is still the old one', { stored: { old: good, new: {} }, live: 'old' }, { target: 'new' }],
  [
    'L41 the old pod drains, which may take an hour and is no failure',
    { stored: { old: good, new: {} }, pods: [pod('old'), pod('new')] },
    { target: 'new' },
  ],
  [
    'S4 nothing else is left to run, so that its time begins',
    { stored: { old: good, new: {} } },
    { target: 'new', memory: { new: { startedAt: ago(0) } }, wakeInSeconds: 1800 },
  ],
  [
    'its time is not over',
    { stored: { old: good, new: { startedAt: ago(29) } } },
    { target: 'new', wakeInSeconds: 60 },
  ],
  [
    'L40 its time is over, so that the last good one runs again',
    { stored: { old: good, new: { startedAt: ago(30) } } },
    {
      target: 'old',
      memory: { new: { failedAt: ago(0), failedBecause: waiting }, old: { insteadOf: 'new' } },
      failure: 'given up',
    },
  ],
  [
    'L38 its engine ended with an error three times, so that nobody waits for the deadline',
    { stored: { old: good, new: { startedAt: ago(5) } }, pods: [pod('new', crashes)] },
    {
      target: 'old',
      memory: {
        new: {
          failedAt: ago(0),
          failedBecause: 'Container "engine" of pod "new-x" ended with exit code 1 (Error)',
        },
        old: { insteadOf: 'new' },
      },
      failure: 'given up',
    },
  ],
  [
    'L40 it failed and the same claim is applied again, so that it is not tried again',
    { stored: { old: good, new: { startedAt: ago(60), failedAt: ago(30) } }, live: 'old', readiness: 'Ready' },
    { target: 'old', failure: 'given up' },
  ],
  [
    'S1 it failed and its mark was lost, and the one that runs says instead of which',
    { stored: { old: { ...good, insteadOf: 'new' }, new: {} }, live: 'old', readiness: 'Ready' },
    { target: 'old', failure: 'given up' },
  ],
  [
    'S1 it failed, and the one that runs has lost the memory that it is good, and answers',
    { stored: { old: {}, new: { failedAt: ago(30) } }, live: 'old', readiness: 'Ready' },
    { target: 'old', failure: 'given up' },
  ],
  [
    'S1 it failed, and the one that runs instead is stored no more, whether it answers now or not',
    { stored: { new: { failedAt: ago(30) } }, live: 'old' },
    { target: 'old', failure: 'given up' },
  ],
  [
    'S1 it failed, and what the one that runs instead was rendered from cannot be read',
    { stored: { old: good, new: { failedAt: ago(30) } }, live: 'old', runnable: ['new'] },
    { target: 'old', failure: 'given up' },
  ],
  [
    'the claim came to a third one, so that what ran instead of the failed one forgets that',
    { stored: { old: { ...good, insteadOf: 'failed' }, new: {} }, live: 'old', readiness: 'Ready' },
    { target: 'new', memory: { old: { insteadOf: '' } } },
  ],
  [
    'it is told to stay',
    { stored: { old: good, new: { startedAt: ago(31) } }, onFailure: 'Stay' },
    { target: 'new', failure: 'overdue' },
  ],
  ['it is the first one', { stored: { new: { startedAt: ago(31) } } }, { target: 'new', failure: 'overdue' }],
  [
    'the last good one ran on nodes that are gone',
    { stored: { old: good, new: { startedAt: ago(31) } }, runnable: ['new'] },
    { target: 'new', failure: 'overdue' },
  ],
  [
    'the one before it failed too, so that the good one before that runs',
    { stored: { older: good, old: { ...good, failedAt: ago(99) }, new: { startedAt: ago(31) } } },
    {
      target: 'older',
      memory: {
        old: { startedAt: '', failedAt: '', failedBecause: '' },
        new: { failedAt: ago(0), failedBecause: waiting },
        older: { insteadOf: 'new' },
      },
      failure: 'given up',
    },
  ],
  [
    'S5 nothing is known of its workload, which is no failure',
    { stored: { old: good, new: { startedAt: ago(99) } }, readiness: 'Unknown' },
    { target: 'new' },
  ],
  [
    'it answers for the first time',
    { stored: { old: good, new: { startedAt: ago(9) } }, readiness: 'Ready' },
    { target: 'new', memory: { new: { goodAt: ago(0) } } },
  ],
  ['S3 it answers as before', { stored: { new: good }, readiness: 'Ready' }, { target: 'new' }],
  ['it answered once, and what ails it now is no rollout', { stored: { old: good, new: good } }, { target: 'new' }],
  [
    'the claim came to another one, so that the failed one would get a new chance',
    { stored: { failed: { startedAt: ago(99), failedAt: ago(50) }, new: good }, readiness: 'Ready' },
    { target: 'new', memory: { failed: { startedAt: '', failedAt: '', failedBecause: '' } } },
  ],
];

test.each(table)('judgeRevision decides what runs and what is remembered when %s', (_name, row, expected) => {
  expect(summarize(judgeRevision(question(row)))).toEqual(expected);
});

describe('L40 a rollout ends', () => {
  /** One minute after another: the workload follows the target, its engine answers after some minutes or never. */
  function play(world: { readonly answersAfter: number; readonly drains: number; readonly hasGood: boolean }) {
    const start = now.getTime();
    let memory = new Map<string, RevisionMemory>([...(world.hasGood ? [['old', good] as const] : []), ['new', {}]]);
    let live = world.hasGood ? 'old' : 'new';
    let since = 0;
    let verdict: RevisionVerdict | undefined;
    const targets: string[] = [];
    for (let minute = 0; minute < 240; minute += 1) {
      const isDraining = minute < since + world.drains;
      const answers = live === 'old' || minute >= since + world.drains + world.answersAfter;
      const readiness = isDraining ? 'NotReady' : answers ? 'Ready' : 'NotReady';
      const asked = question({
        stored: Object.fromEntries(memory),
        live,
        readiness,
        pods: isDraining ? [pod(live), pod('draining')] : [pod(live)],
      });
      verdict = judgeRevision({ ...asked, now: new Date(start + minute * 60_000) });
      targets.push(verdict.target);
      memory = new Map([...memory].map(([hash, own]) => [hash, { ...own, ...verdict?.memory.get(hash) }]));
      if (verdict.target !== live) since = minute;
      live = verdict.target;
    }
    return { targets, last: verdict, live };
  }

  test('it answers, or the last good one runs, or it says that it is overdue; and it never goes back and forth', () => {
    fc.assert(
      fc.property(
        fc.record({ answersAfter: fc.nat({ max: 90 }), drains: fc.nat({ max: 60 }), hasGood: fc.boolean() }),
        (world) => {
          const { targets, last } = play(world);
          const turns = targets.filter((target, index) => index > 0 && target !== targets[index - 1]).length;
          expect(turns).toBeLessThanOrEqual(1);
          const isInTime = world.answersAfter < 30;
          if (isInTime || !world.hasGood) expect(last?.target).toBe('new');
          if (isInTime) expect(last?.failure).toBeUndefined();
          if (world.answersAfter > 31 && world.hasGood) {
            expect(last).toMatchObject({ target: 'old', failure: { isGivenUp: true } });
          }
        },
      ),
    );
  });
});

describe('L6 a revision that has to prove itself', () => {
  const running: JudgeQuestion['evidence'] = { state: 'Running' };
  const failing: JudgeQuestion['evidence'] = { state: 'Failed', because: 'It fails the case CopyNames' };
  const rows: readonly [string, Row & { readonly evidence?: JudgeQuestion['evidence'] }, unknown][] = [
    [
      'waits from the moment at which it is stored',
      { stored: { old: good }, live: 'old', evidence: running },
      { target: 'new', memory: { new: { conformance: 'Waiting' } } },
    ],
    [
      'is not good while it is tried, though it answers',
      {
        stored: { old: good, new: { startedAt: ago(9), conformance: 'Waiting' } },
        readiness: 'Ready',
        evidence: running,
      },
      { target: 'new', memory: { new: { conformance: 'Waiting' } }, isProving: true },
    ],
    [
      'is good when it passed',
      { stored: { new: { conformance: 'Waiting' } }, readiness: 'Ready', evidence: { state: 'Passed' } },
      { target: 'new', memory: { new: { goodAt: ago(0), conformance: 'Passed' } } },
    ],
    [
      'S1 is good when its check could not be run: nothing is held back without a word against it',
      {
        stored: { new: { conformance: 'Waiting' } },
        readiness: 'Ready',
        evidence: { state: 'NotRun', because: 'DeadlineExceeded' },
      },
      { target: 'new', memory: { new: { goodAt: ago(0), conformance: 'NotRun' } } },
    ],
    [
      'is good when nothing is tried any more',
      { stored: { new: { conformance: 'Failed' } }, readiness: 'Ready' },
      { target: 'new', memory: { new: { goodAt: ago(0), conformance: 'NotRun' } } },
    ],
    [
      'goes back to the last good one with the case when it fails',
      { stored: { old: good, new: { conformance: 'Waiting' } }, readiness: 'Ready', evidence: failing },
      {
        target: 'old',
        memory: {
          new: { conformance: 'Failed', failedBecause: 'It fails the case CopyNames', failedAt: ago(0) },
          old: { insteadOf: 'new' },
        },
        failure: { because: 'It fails the case CopyNames', isGivenUp: true, isUnproven: true },
      },
    ],
    [
      'stays without requests when it fails and there is none to go back to',
      { stored: { new: { conformance: 'Waiting' } }, readiness: 'Ready', evidence: failing },
      {
        target: 'new',
        memory: { new: { conformance: 'Failed', failedBecause: 'It fails the case CopyNames' } },
        failure: { because: 'It fails the case CopyNames', isGivenUp: false, isUnproven: true },
      },
    ],
    [
      'S1 is not tried where it was good before revisions were tried',
      { stored: { new: good }, readiness: 'Ready', evidence: running },
      { target: 'new', memory: {} },
    ],
    [
      'forgets that it failed when another one is asked for, so that it may be tried again',
      { stored: { old: { ...good, conformance: 'Failed' } }, live: 'new', evidence: running },
      { target: 'new', memory: { old: { conformance: '' }, new: { conformance: 'Waiting' } } },
    ],
  ];
  test.each(rows)('%s', (_name, row, expected) => {
    const { memory, ...verdict } = judgeRevision({ ...question(row), evidence: row.evidence });
    expect({ ...verdict, memory: Object.fromEntries(memory) }).toEqual({ memory: {}, ...(expected as object) });
  });
});
