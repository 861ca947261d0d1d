import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from './ask.ts';
import { type CaseResult, countTries, quantile } from './case-result.ts';
import { builtInCases, caseNames } from './cases/built-in-cases.ts';
import { compareResults } from './compare-results.ts';
import { exitCodeOf, failingExitCodes, readExitCode } from './exit-code.ts';
import { failed, gradeStream, passed } from './grade.ts';
import { sumUpLoad } from './load-result.ts';
import { planCases } from './plan-cases.ts';

const setting = { contextTokens: 8192, tokensPerLine: 24 };
const nothing: Answer = { text: '', calls: [], events: 0, totalMillis: 1, finish: 'Stop' };

describe.each(caseNames)('the case %s', (name) => {
  const { prepare } = builtInCases[name];

  test('S3 asks the same in every run, and other things in other tries', () => {
    expect(prepare(3, setting).ask).toEqual(prepare(3, setting).ask);
    const asked = Array.from({ length: 20 }, (_, tryNumber) => JSON.stringify(prepare(tryNumber, setting).ask));
    expect(new Set(asked).size).toBeGreaterThanOrEqual(4);
  });

  test('is not passed by an answer that says nothing', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (tryNumber) => {
        expect(prepare(tryNumber, setting).grade(nothing).passed).toBe(false);
      }),
    );
  });
});

describe('exit codes', () => {
  test('S7 say one case each, and can be read back', () => {
    expect(new Set(failingExitCodes).size).toBe(caseNames.length);
    expect(failingExitCodes.map(readExitCode)).toEqual(caseNames);
    expect(caseNames.map(exitCodeOf)).toEqual(failingExitCodes);
  });

  test.each([0, 1, 2, 19, 40, 75, 125, 126, 127, 137, 143, 255])(
    '%i, of a shell, Node or a signal, says nothing',
    (code) => {
      expect(readExitCode(code)).toBeUndefined();
    },
  );
});

describe('planCases', () => {
  const cases = [builtInCases.CopyNames, builtInCases.ToolCall, builtInCases.LongStream];
  const question = { cases, tries: 50, leastPassShare: 0.96, outputTokens: 1000 } as const;

  test('leaves out what the endpoint cannot answer in its tokens, and asks the rest where it belongs', () => {
    const { planned, leftOut } = planCases({ ...question, protocols: ['OpenAI', 'Anthropic'] });
    expect(planned.map((one) => `${one.case.name} ${one.protocol} ${one.tries} ${one.allowed}`)).toEqual([
      'CopyNames OpenAI 50 2',
      'ToolCall OpenAI 50 2',
      'ToolCall Anthropic 50 2',
    ]);
    expect(leftOut).toEqual([
      { name: 'LongStream', why: 'needs answers of 1300 tokens, and at most 1000 are written' },
    ]);
  });

  test('asks everything over Anthropic where nothing else is spoken', () => {
    const { planned } = planCases({ ...question, protocols: ['Anthropic'] });
    expect(planned.map((one) => one.protocol)).toEqual(['Anthropic', 'Anthropic']);
  });
});

describe('countTries', () => {
  const planned = { case: builtInCases.CopyNames, protocol: 'OpenAI', tries: 4, allowed: 1 } as const;
  const right = { answer: nothing, grade: passed };
  const wrong = (reason: 'NamesDiffer' | 'StreamCut') => ({ answer: nothing, grade: failed(reason, 'a', 'b') });
  test.each([
    ['a case without a try was not tried', [], 'NotTried', undefined],
    ['as many failures as may be pass', [right, wrong('StreamCut')], 'Passed', 'StreamCut'],
    [
      'one more fails, with the reason seen most',
      [wrong('StreamCut'), wrong('NamesDiffer'), wrong('NamesDiffer')],
      'Failed',
      'NamesDiffer',
    ],
  ] as const)('%s', (_name, judged, verdict, reason) => {
    const counted = countTries(planned, judged);
    expect([counted.verdict, counted.failure?.reason]).toEqual([verdict, reason]);
  });
});

test('L23 a stream with 200 and no finish reason has failed', () => {
  const { finish: _finish, ...cut } = { ...nothing, text: 'a valid half', events: 9 };
  expect(gradeStream(cut)).toEqual(failed('StreamCut', '9 events, then "a valid half"', 'a finish reason at the end'));
});

function resultOf([passes, tries]: readonly [number, number], name = 'CopyNames'): CaseResult {
  const verdict = tries - passes > 2 ? 'Failed' : 'Passed';
  const rest = { protocol: 'OpenAI', allowed: 2, firstPartMillis: [], tokensPerSecond: [] } as const;
  return { ...rest, name, tries, passed: passes, failed: tries - passes, verdict };
}

describe('L47 compareResults says', () => {
  test.each([
    ['that the first is worse where it fails alone (L6)', [15, 50], [50, 50], 'FirstWorse', true],
    ['that the case is to be looked at where both fail', [15, 50], [20, 50], 'BothFail', false],
    ['that the first is worse where both fail and it does so far more often', [2, 50], [40, 50], 'FirstWorse', true],
    ['nothing where both pass', [49, 50], [50, 50], 'BothPass', false],
    ['that the second is worse', [50, 50], [15, 50], 'FirstBetter', false],
  ] as const)('%s', (_name, first, second, comparison, isWorse) => {
    const compared = compareResults([resultOf(first)], [resultOf(second)]);
    expect([compared.cases[0]?.comparison, compared.isWorse]).toEqual([comparison, isWorse]);
  });

  test('that one alone is worse where it fails', () => {
    expect(compareResults([resultOf([15, 50])], undefined).isWorse).toBe(true);
    expect(compareResults([resultOf([50, 50])], undefined).isWorse).toBe(false);
  });
});

describe('L42 sumUpLoad', () => {
  test('gives the times of the answers that came, and what went wrong first', () => {
    const answer = (millis: number): Answer => ({
      ...nothing,
      usage: { inputTokens: 1, outputTokens: 10 },
      firstPartMillis: millis,
    });
    const lost: Answer = { ...nothing, fault: { reason: 'HttpError', words: 'HTTP 503' } };
    const answers = [answer(10), answer(30), answer(20), lost];
    expect(sumUpLoad({ users: 2, concurrency: 2, answers, totalMillis: 1000 })).toEqual({
      users: 2,
      concurrency: 2,
      requests: 4,
      failed: 1,
      failure: 'HttpError: HTTP 503',
      firstPartMillis: { p50: 20, p95: 30, most: 30 },
      tokensPerSecond: 30,
    });
  });

  test('has no times where nothing came', () => {
    expect(sumUpLoad({ users: 1, concurrency: 1, answers: [], totalMillis: 0 })).toMatchObject({ tokensPerSecond: 0 });
    expect(quantile([], 0.5)).toBeUndefined();
  });
});
