import { describe, expect, test } from 'vitest';
import { type FunctionName, functionNames, keepsKey, ownsKey, pipelines, steps } from './steps.ts';

test('S1 no prefix of a key begins with the prefix of another, so that every key has one owner', () => {
  const all = functionNames.flatMap((name) => steps[name].keyPrefixes.map((prefix) => ({ name, prefix })));
  const shared = all.flatMap((one) => all.filter((other) => other !== one && other.prefix.startsWith(one.prefix)));
  expect(shared).toEqual([]);
  expect(all.length).toBeGreaterThanOrEqual(7);
});

test('S1 within one pipeline no two steps write the same field of the status', () => {
  const clashes = Object.entries(pipelines).flatMap(([kind, names]) => {
    const fields = names.flatMap((name) => steps[name].statusFields);
    return fields.filter((field, index) => fields.indexOf(field) !== index).map((field) => `${kind}.${field}`);
  });
  expect(clashes).toEqual([]);
});

test('S6 every step has a main condition for each kind that it composes, and no two steps of a kind share one', () => {
  const missing = Object.entries(pipelines).flatMap(([kind, names]) => {
    const types = names.map((name) => steps[name].mainCondition[kind]);
    return types.includes(undefined) || new Set(types).size < types.length ? [kind] : [];
  });
  expect(missing).toEqual([]);
  const composed = functionNames.map((name) =>
    Object.keys(pipelines).filter((kind) => pipelines[kind]?.includes(name)),
  );
  expect(functionNames.map((name) => Object.keys(steps[name].mainCondition))).toEqual(composed);
});

describe('S1 a step keeps', () => {
  const rows: readonly [string, FunctionName, string, string, 'Own' | 'Unknown' | undefined][] = [
    ['its own key', 'placement', 'ModelReplica', 'pool-a', 'Own'],
    ['its own key as the last step', 'rollout-strategy', 'ModelReplica', 'workload-engine', 'Own'],
    ['no key of an earlier step', 'rollout-strategy', 'ModelReplica', 'pool-a', undefined],
    ['no key of a later step', 'placement', 'ModelReplica', 'workload-engine', undefined],
    ['a key of nobody as the last step', 'rollout-strategy', 'ModelReplica', 'stray', 'Unknown'],
    ['no key of nobody before the last step', 'engine-config', 'ModelReplica', 'stray', undefined],
    ['a key of a step outside the pipeline as the last step', 'gateway', 'ModelService', 'pool-a', 'Unknown'],
    ['a key of nobody in a pipeline that it does not know', 'gateway', 'Other', 'stray', 'Unknown'],
    ['a key that only resembles a prefix of its own as one of nobody', 'gateway', 'ModelService', 'gateway', 'Unknown'],
  ];
  test.each(rows)('%s', (_name, step, kind, key, kept) => {
    expect(keepsKey(step, kind, key)).toBe(kept);
    expect(ownsKey(step, key)).toBe(kept === 'Own');
  });
});
