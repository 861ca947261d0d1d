import {
  type Requirements,
  RunFunctionRequest,
  RunFunctionResponse,
  Severity,
  Target,
} from '@crossplane-org/function-sdk-typescript';
import { describe, expect, test } from 'vitest';
import { type Fetch, runStep } from './run-step.ts';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
const empty = RunFunctionRequest.decode(new Uint8Array());

/** The requirement for pods by each name. */
function needs(...names: string[]): Requirements {
  const selector = {
    apiVersion: 'v1',
    kind: 'Pod',
    matchName: undefined,
    matchLabels: undefined,
    namespace: undefined,
  };
  return { extraResources: {}, resources: Object.fromEntries(names.map((name) => [name, selector])), schemas: {} };
}

/** Calls a step that answers with the given requirements in turn, the last one for ever, and keeps what it was asked. */
async function run(answers: readonly (Requirements | undefined)[], fetch: Partial<Fetch> = {}) {
  const asked: RunFunctionRequest[] = [];
  const response = await runStep(
    empty,
    async (request) => {
      asked.push(request);
      const requirements = answers[Math.min(asked.length, answers.length) - 1];
      return { ...RunFunctionResponse.decode(new Uint8Array()), requirements, context: { call: asked.length } };
    },
    { resources: () => [], schema: () => undefined, ...fetch },
  );
  return { asked, response };
}

/** As core runs a step (crossplane v2.4.0 internal/xfn/required_resources.go, read 2026-12-01). */
describe('runStep calls a step', () => {
  const rows: readonly [string, readonly (Requirements | undefined)[], number][] = [
    ['once when it requires nothing', [undefined], 1],
    ['twice when it requires the same again', [needs('a')], 2],
    ['until two calls in a row require the same', [needs('a'), needs('a', 'b')], 3],
    ['six times at most', [needs('1'), needs('2'), needs('3'), needs('4'), needs('5')], 6],
  ];
  test.each(rows)('%s', async (_name, answers, calls) => {
    const { asked, response } = await run(answers);
    expect(asked.length).toBe(calls);
    expect(response.context).toEqual({ call: calls });
  });

  test('no more when its requirements never settle, and says so', async () => {
    const names = Array.from({ length: 9 }, (_, index) => needs(String(index)));
    await expect(run(names)).rejects.toThrow(
      "requirements didn't stabilize after the maximum number of iterations (5)",
    );
  });

  test('once when it is fatal', async () => {
    let calls = 0;
    const fatal = { severity: Severity.SEVERITY_FATAL, message: 'No', reason: 'No', target: Target.TARGET_COMPOSITE };
    const response = { ...RunFunctionResponse.decode(new Uint8Array()), results: [fatal], requirements: needs('a') };
    const answer = async () => {
      calls += 1;
      return response;
    };
    expect(await runStep(empty, answer, { resources: () => [], schema: () => undefined })).toBe(response);
    expect(calls).toBe(1);
  });

  test('with what it required, what was not found as an empty list, and with its own context', async () => {
    const { asked } = await run([needs('found', 'absent')], {
      resources: (
        (calls = 0) =>
        () =>
          calls++ === 0 ? [pod] : []
      )(),
    });
    expect(asked[0]?.requiredResources).toEqual({});
    expect(asked[1]).toMatchObject({
      requiredResources: { found: { items: [{ resource: pod }] }, absent: { items: [] } },
      context: { call: 1 },
    });
  });

  test('with the schemas that it required, and an empty one for a kind that is unknown', async () => {
    const requirements = {
      extraResources: {},
      resources: {},
      schemas: { A: { apiVersion: 'v1', kind: 'A' }, B: { apiVersion: 'v1', kind: 'B' } },
    };
    const { asked } = await run([requirements], {
      schema: ({ kind }) => (kind === 'A' ? { type: 'object' } : undefined),
    });
    expect(asked[1]?.requiredSchemas).toEqual({ A: { openapiV3: { type: 'object' } }, B: { openapiV3: undefined } });
  });
});
