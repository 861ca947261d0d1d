import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { findBreaches, Guardrails } from './guardrails.ts';

const owner = 'InferenceCluster "europe"';
const claim = { image: 'vllm/vllm-openai:v0.19.0', args: ['--max-model-len=8192'] };
const remoteCode =
  'spec.engine.args has --trust-remote-code, and InferenceCluster "europe" refuses it: remove it, or let its owner set spec.guardrails.trustRemoteCode to Allow';
const foreignImage =
  'spec.engine.image is "vllm/vllm-openai:v0.19.0", and InferenceCluster "europe" allows images of "a.example/", "b.example/": use one of those';

const table: readonly [string, readonly string[], z.input<typeof Guardrails>, readonly string[]][] = [
  ['no rule is set', claim.args, {}, []],
  ['the image has an allowed prefix', claim.args, { imagePrefixes: ['a.example/', 'vllm/'] }, []],
  ['the image has none', claim.args, { imagePrefixes: ['b.example/', 'a.example/'] }, [foreignImage]],
  ['code of the checkpoint is trusted', ['--trust-remote-code'], {}, [remoteCode]],
  ['it is trusted with underscores', ['--trust_remote_code'], {}, [remoteCode]],
  ['it is trusted by value', ['--trust-remote-code=true'], {}, [remoteCode]],
  ['it is switched off by value', ['--trust-remote-code=false'], {}, []],
  ['it is switched off', ['--no-trust-remote-code'], {}, []],
  ['it is trusted where the platform allows it', ['--trust-remote-code'], { trustRemoteCode: 'Allow' }, []],
  [
    'two rules are broken',
    ['--trust-remote-code'],
    { imagePrefixes: ['b.example/', 'a.example/'] },
    [foreignImage, remoteCode],
  ],
];

describe('findBreaches', () => {
  test.each(table)('%s', (_name, args, rules, breaches) => {
    expect(findBreaches({ ...claim, args }, Guardrails.parse(rules), owner)).toEqual(breaches);
  });

  test('lets an image through exactly when it starts with a prefix', () => {
    const image = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(image, fc.array(image, { minLength: 1, maxLength: 4 }), (name, imagePrefixes) => {
        const rules = Guardrails.parse({ imagePrefixes });
        const isAllowed = imagePrefixes.some((prefix) => name.slice(0, prefix.length) === prefix);
        expect(findBreaches({ image: name, args: [] }, rules, owner)).toHaveLength(isAllowed ? 0 : 1);
      }),
    );
  });
});
