import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { readPath } from '../kubernetes/object.ts';
import { countTries } from './case-result.ts';
import { builtInCases, caseNames } from './cases/built-in-cases.ts';
import { chooseCases } from './choose-cases.ts';
import { type CheckQuestion, renderCheckPolicy, renderCheckService, renderJob } from './evidence-job.ts';
import { figuresOf, readFigures } from './figures.ts';
import { failed } from './grade.ts';
import { readJob } from './read-job.ts';

const question: CheckQuestion = {
  replica: 'llama-0',
  labels: { 'modelberth.dev/replica': 'chat.llama-0' },
  selector: { 'modelberth.dev/replica': 'chat.llama-0' },
  revision: 'e76ea910',
  image: 'modelberth:v1',
  pullSecrets: ['registry'],
  servedName: 'chat/llama',
  port: 8000,
  protocols: ['OpenAI'],
  cases: ['CopyNames'],
  tries: 50,
  leastPassShare: 0.96,
  contextTokens: 16384,
  outputTokens: 4096,
  parallel: 2,
  deadlineMinutes: 30,
};

describe('S7 the Job of a check', () => {
  const spec = renderJob(question).spec;

  test('has no time to live, ends by its deadline, and is not tried again after a verdict', () => {
    expect(spec).not.toHaveProperty('ttlSecondsAfterFinished');
    expect(spec).toMatchObject({ activeDeadlineSeconds: 1800 });
    expect(readPath(spec, ['template', 'spec', 'restartPolicy'])).toBe('Never');
    expect(JSON.stringify(spec)).toContain(JSON.stringify({ containerName: 'check', operator: 'In' }).slice(1, -1));
  });

  test('runs away from accelerators, with the pull secrets of the engine, and asks for none', () => {
    const pod = readPath(spec, ['template', 'spec']);
    expect(pod).toMatchObject({ imagePullSecrets: [{ name: 'registry' }] });
    expect(pod).not.toHaveProperty('tolerations');
    expect(JSON.stringify(pod)).not.toContain('nvidia.com/gpu"');
  });

  test('has pods that are none of the engine, and that its policy admits (L31)', () => {
    const labels = readPath(spec, ['template', 'metadata', 'labels']);
    expect(labels).not.toHaveProperty(['modelberth.dev/replica']);
    expect(labels).toMatchObject({ 'modelberth.dev/check': 'chat.llama-0' });
    expect(JSON.stringify(renderCheckPolicy(question).spec)).toContain(
      '"podSelector":{"matchLabels":{"modelberth.dev/check":"chat.llama-0"}}',
    );
    const service = renderCheckService(question);
    expect(JSON.stringify(spec)).toContain(`--url=http://${service.metadata.name}:8000`);
  });
});

describe('S7 readJob reads', () => {
  const job = (...conditions: readonly object[]): KubernetesObject => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {},
    status: { conditions },
  });
  // The words of Kubernetes 1.36, pkg/controller/job/pod_failure_policy.go.
  const policy = (code: number) =>
    `Container check for pod chat/c-x failed with exit code ${code} matching FailJob rule at index 0`;
  const failing = (message: string, reason = 'PodFailurePolicy') => ({
    type: 'Failed',
    status: 'True',
    reason,
    message,
  });
  test.each([
    ['nothing of one that has not been seen', undefined, 'Running'],
    ['nothing of one that has not ended', job({ type: 'FailureTarget', status: 'True' }), 'Running'],
    ['that it passed', job({ type: 'Complete', status: 'True' }), 'Passed'],
    ['the case that failed', job(failing(policy(25))), 'Failed'],
    ['nothing of the engine from another exit code', job(failing(policy(75))), 'NotRun'],
    ['nothing of the engine from a deadline', job(failing('Job was active longer', 'DeadlineExceeded')), 'NotRun'],
  ] as const)('%s', (_name, found, state) => {
    expect(readJob(found).state).toBe(state);
  });

  test('the case by its name', () => {
    const names = caseNames.map((name, index) => [name, readJob(job(failing(policy(20 + index))))] as const);
    for (const [name, evidence] of names)
      expect(evidence).toMatchObject({ because: expect.stringContaining(`the case ${name},`) });
  });
});

describe('chooseCases takes', () => {
  test.each([
    ['none that calls tools without a parser of calls', [], false, false],
    ['all with one', ['--tool-call-parser', 'hermes'], true, true],
    ['no parallel calls where the parser knows none', ['--tool-call-parser=llama3_json'], true, false],
  ] as const)('%s', (_name, args, calls, parallel) => {
    const cases = chooseCases(args);
    expect([cases.includes('ToolCall'), cases.includes('ParallelCalls')]).toEqual([calls, parallel]);
    expect(cases).toContain('CopyNames');
  });
});

describe('the figures of a check', () => {
  const answer = { text: '', calls: [], events: 1, firstPartMillis: 12.4, totalMillis: 20 };
  const planned = { case: builtInCases.CopyNames, protocol: 'OpenAI', tries: 1, allowed: 0 } as const;
  const results = [countTries(planned, [{ answer, grade: failed('NamesDiffer', 'x'.repeat(900), 'b') }])];
  const podWith = (message: string) => ({
    status: { containerStatuses: [{ name: 'check', state: { terminated: { message } } }] },
  });

  test('fit a termination message, and are read from it', () => {
    const text = JSON.stringify(figuresOf(results));
    expect(text.length).toBeLessThan(4096);
    expect(readFigures([podWith('no JSON'), podWith(text)])).toEqual(figuresOf(results));
    expect(figuresOf(results)).toMatchObject({ firstTokenMillis: { median: 12, ninetyFifth: 12 } });
  });

  test.each(['', '{', '[]', '{"failure": 1}'])('S5 are unknown where the message is %j', (message) => {
    expect(readFigures([podWith(message)])).toEqual({});
  });
});
