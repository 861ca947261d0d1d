/** L6: every kind of faulty engine is caught, each with its own reason, and the clean one passes; over real sockets. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Protocol } from '../../domain/evidence/ask.ts';
import type { CaseResult } from '../../domain/evidence/case-result.ts';
import { builtInCases, type CaseName, caseNames } from '../../domain/evidence/cases/built-in-cases.ts';
import type { FaultReason } from '../../domain/evidence/grade.ts';
import { planCases } from '../../domain/evidence/plan-cases.ts';
import { askEndpoint } from '../../functions/evidence/ask-endpoint.ts';
import { runCases } from '../../functions/evidence/run-cases.ts';
import { type RunningEngine, startEngine } from './fake-engine.ts';
import type { FaultKind } from './fake-model.ts';

const running: RunningEngine[] = [];
afterEach(() => {
  for (const engine of running.splice(0)) engine.close();
});

async function prove(fault: FaultKind, protocols: readonly Protocol[], tries = 20): Promise<readonly CaseResult[]> {
  const engine = await startEngine(fault);
  running.push(engine);
  const { planned } = planCases({
    cases: caseNames.map((name) => builtInCases[name]),
    protocols,
    tries,
    leastPassShare: 0.96,
    outputTokens: 4096,
  });
  return runCases({
    ask: (protocol, ask) => askEndpoint({ url: engine.url, model: 'm', idleSeconds: 0.3 }, protocol, ask),
    planned,
    contextTokens: 8192,
    outputTokens: 4096,
    concurrency: 4,
    endsEarly: true,
    seed: 0,
    onTry: () => {},
  });
}

function failuresOf(results: readonly CaseResult[]): Readonly<Record<string, FaultReason | undefined>> {
  const failing = results.filter(({ verdict }) => verdict === 'Failed');
  return Object.fromEntries(failing.map(({ name, failure }) => [name, failure?.reason]));
}

type Caught = Partial<Record<CaseName, FaultReason>>;
const everyCase = (reason: FaultReason): Caught => ({ CopyNames: reason });
const openAi: readonly [FaultKind, string, Caught][] = [
  [
    'drops-argument',
    'drops an argument',
    {
      ToolCall: 'ArgumentMissing',
      LongArguments: 'ArgumentMissing',
      ParallelCalls: 'ArgumentMissing',
    },
  ],
  ['cuts-stream', 'cuts a stream that began with 200', { CopyNames: 'StreamCut', LongStream: 'StreamCut' }],
  ['copies-49', 'copies 49 of 50 names', { CopyNames: 'NamesDiffer' }],
  ['wrong-30', 'copies wrong in 30% of the tries', { CopyNames: 'NamesDiffer' }],
  [
    'garbles-tool-names',
    'garbles the names of tools',
    {
      ToolCall: 'ToolNameWrong',
      EmptyArguments: 'ToolNameWrong',
      LongArguments: 'ToolNameWrong',
      ParallelCalls: 'ToolNameWrong',
    },
  ],
  ['merges-calls', 'merges parallel calls', { ParallelCalls: 'CallsMerged' }],
  ['drops-second-call', 'drops the second of two calls', { ParallelCalls: 'CallMissing' }],
  ['ignores-stop', 'ignores stop texts', { StopText: 'StopIgnored' }],
  ['forgets-system-prompt', 'forgets the system prompt', { SystemPrompt: 'SystemPromptForgotten' }],
  ['forgets-context', 'forgets a long context', { LongContext: 'ContextForgotten' }],
  ['reports-usage-wrong', 'reports usage wrong', { Usage: 'UsageWrong' }],
  ['reports-no-usage', 'reports no usage', { Usage: 'UsageWrong' }],
  ['breaks-json', 'sends arguments that are no JSON (vllm-project/vllm#41739)', { LongArguments: 'ArgumentsNotJson' }],
  ['empty-arguments-as-nothing', 'sends nothing for empty arguments', { EmptyArguments: 'ArgumentsNotJson' }],
  ['drops-part-of-stream', 'drops a part of a stream', { CopyNames: 'NamesDiffer', LongStream: 'CountBroken' }],
  ['answers-in-one-piece', 'does not stream', { LongStream: 'NotStreamed' }],
  ['refuses', 'refuses every request', Object.fromEntries(caseNames.map((name) => [name, 'HttpError']))],
  ['hangs', 'hangs after 200, so that nothing else is tried', everyCase('TimedOut')],
];

describe('L6 over OpenAI an engine is caught that', () => {
  test.each(openAi)('%s: %s', async (fault, _words, caught) => {
    expect(failuresOf(await prove(fault, ['OpenAI'], fault === 'wrong-30' ? 50 : 20))).toEqual(caught);
  });
});

/** What depends on the protocol: the numbers of the engine are judged on one. */
const anthropic: readonly [FaultKind, Caught][] = [
  [
    'drops-argument',
    { ToolCall: 'ArgumentMissing', LongArguments: 'ArgumentMissing', ParallelCalls: 'ArgumentMissing' },
  ],
  ['merges-calls', { ParallelCalls: 'CallsMerged' }],
  ['cuts-stream', { LongStream: 'StreamCut' }],
  ['ignores-stop', { StopText: 'StopIgnored' }],
  ['forgets-system-prompt', { SystemPrompt: 'SystemPromptForgotten' }],
  ['reports-usage-wrong', { Usage: 'UsageWrong' }],
];

describe('L6 L25 over Anthropic an engine is caught that', () => {
  test.each(anthropic)('%s', async (fault, caught) => {
    const results = await prove(fault, ['OpenAI', 'Anthropic']);
    expect(failuresOf(results.filter(({ protocol }) => protocol === 'Anthropic'))).toEqual(caught);
  });
});

test('L6 the clean engine passes every case on both protocols, and every stream is timed', async () => {
  const results = await prove('clean', ['OpenAI', 'Anthropic'], 50);
  expect(failuresOf(results)).toEqual({});
  expect(results.map(({ name, protocol, passed }) => `${name} ${protocol} ${passed}`)).toEqual([
    'CopyNames OpenAI 50',
    'ToolCall OpenAI 50',
    'ToolCall Anthropic 50',
    'EmptyArguments OpenAI 50',
    'EmptyArguments Anthropic 50',
    'LongArguments OpenAI 50',
    'LongArguments Anthropic 50',
    'ParallelCalls OpenAI 50',
    'ParallelCalls Anthropic 50',
    'LongStream OpenAI 5',
    'LongStream Anthropic 5',
    'StopText OpenAI 50',
    'StopText Anthropic 50',
    'SystemPrompt OpenAI 50',
    'SystemPrompt Anthropic 50',
    'LongContext OpenAI 5',
    'Usage OpenAI 50',
    'Usage Anthropic 50',
  ]);
  const stream = results.find(({ name }) => name === 'LongStream');
  expect(stream?.firstPartMillis).toHaveLength(5);
  expect(stream?.tokensPerSecond.every((speed) => speed > 0)).toBe(true);
});

test('an endpoint that is not there is tried three times in all', async () => {
  const engine = await startEngine('clean');
  engine.close();
  let asked = 0;
  const { planned } = planCases({
    cases: [builtInCases.CopyNames, builtInCases.Usage],
    protocols: ['OpenAI'],
    tries: 50,
    leastPassShare: 0.96,
    outputTokens: 4096,
  });
  const results = await runCases({
    ask: (protocol, ask) => {
      asked += 1;
      return askEndpoint({ url: engine.url, model: 'm', idleSeconds: 1 }, protocol, ask);
    },
    planned,
    contextTokens: 8192,
    outputTokens: 4096,
    concurrency: 1,
    endsEarly: false,
    seed: 0,
    onTry: () => {},
  });
  expect(results.map(({ verdict, failure }) => [verdict, failure?.reason])).toEqual([
    ['Failed', 'Unreachable'],
    ['NotTried', undefined],
  ]);
  expect(asked).toBe(3);
});
