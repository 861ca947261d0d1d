import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ClassGuardrails, findBreaches, Guardrails } from './guardrails.ts';

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

  const paths: readonly [string, readonly string[] | undefined, string, boolean][] = [
    ['the rules say nothing of it', undefined, '/mnt/models', true],
    ['no directory is allowed', [], '/mnt/models', false],
    ['it is the directory itself', ['/mnt/models'], '/mnt/models', true],
    ['it is below an allowed one', ['/opt', '/mnt/models'], '/mnt/models/llama', true],
    ['it only begins with the same letters', ['/mnt/models'], '/mnt/models-of-others', false],
    ['it is above an allowed one', ['/mnt/models'], '/mnt', false],
  ];
  test.each(paths)('judges a directory of the node when %s', (_name, hostPaths, hostPath, isAllowed) => {
    const breaches = findBreaches(
      { ...claim, hostPath },
      { hostPaths: hostPaths === undefined ? undefined : [...hostPaths] },
      owner,
    );
    expect(breaches).toHaveLength(isAllowed ? 0 : 1);
  });

  test('names the directory, what is allowed, and the ways out', () => {
    const say = (hostPaths: string[]) => findBreaches({ ...claim, hostPath: '/etc/x' }, { hostPaths }, owner)[0];
    expect(say([])).toBe(
      'spec.model.weights.path is "/etc/x", and InferenceCluster "europe" allows no directory of a node: use a PersistentVolumeClaim, or let its owner add the directory to spec.guardrails.hostPaths',
    );
    expect(say(['/mnt/b', '/mnt/a'])).toContain('allows directories of a node under "/mnt/a", "/mnt/b": use');
  });

  test('a class that states no rule refuses nothing', () => {
    const trusting = { ...claim, args: ['--trust-remote-code'], hostPath: '/mnt/models' };
    expect(findBreaches(trusting, ClassGuardrails.parse({}), 'InferenceClass "l4"')).toEqual([]);
    expect(findBreaches(trusting, ClassGuardrails.parse({ trustRemoteCode: 'Refuse' }), 'InferenceClass "l4"')).toEqual(
      [remoteCode.replace('InferenceCluster "europe"', 'InferenceClass "l4"')],
    );
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
