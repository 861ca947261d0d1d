import { expect, test } from 'vitest';
import { Model } from './model.ts';

const names: readonly [string, string, boolean][] = [
  ['it is a name on the hub', 'meta-llama/Llama-3.1-8B-Instruct', true],
  ['it has an underscore and dots', 'nvidia/Llama-3_3-Nemotron-Super-49B-v1.5', true],
  ['it has no organisation', 'gpt2', false],
  ['it is a path', '/models/llama', false],
  ['it has three parts', 'a/b/c', false],
  ['it would be read as a flag', 'a/--trust-remote-code', false],
  ['it has a space', 'a/b c', false],
  ['it is empty', '', false],
];

test.each(names)('a model is named as on the hub or refused when %s', (_name, name, expected) => {
  expect(Model.safeParse({ name }).success).toBe(expected);
});

test('the token of the hub is under "token" unless the claim says where', () => {
  const hubTokenSecret = (key?: string) =>
    Model.parse({ name: 'a/b', hubTokenSecret: { name: 'hub', ...(key === undefined ? {} : { key }) } }).hubTokenSecret;
  expect([hubTokenSecret(), hubTokenSecret('hf')]).toEqual([
    { name: 'hub', key: 'token' },
    { name: 'hub', key: 'hf' },
  ]);
});
