import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainUnknownFlag, flagTable, refuseArguments } from './known-flags.ts';

const vllm = (version: string) => ({ type: 'vLLM' as const, image: `vllm/vllm-openai:v${version}` });
const sglang = (version: string) => ({ type: 'SGLang' as const, image: `lmsysorg/sglang:v${version}` });

const refused: readonly [string, ReturnType<typeof vllm> | ReturnType<typeof sglang>, string[], string][] = [
  [
    'it was removed',
    vllm('0.19.1'),
    ['--swap-space=4'],
    'vLLM 0.19.1 has no "--swap-space", 0.17.1 had it: remove it, or set spec.engine.image to a release that has it',
  ],
  [
    'it was removed, and is written with underscores and its value apart',
    vllm('0.33.0'),
    ['--disable_log_requests', '--seed', '1'],
    'vLLM 0.33.0 has no "--disable_log_requests", 0.16.0 had it: remove it, or set spec.engine.image to a release that has it',
  ],
  [
    'it came later',
    vllm('0.10.2'),
    ['--max-cudagraph-capture-size', '8'],
    'vLLM 0.10.2 has no "--max-cudagraph-capture-size", 0.11.2 has it: remove it, or set spec.engine.image to a release that has it',
  ],
  [
    'no release ever had it',
    vllm('0.30.0'),
    ['--max-num-seqz=8'],
    'no vLLM from 0.8.5.post1 to 0.33.0 has "--max-num-seqz": write "--max-num-seqs" if you meant that, or remove it',
  ],
  [
    'it is a flag of the other engine',
    sglang('0.5.6'),
    ['--gpu-memory-utilization=0.9'],
    'no SGLang from 0.4.6.post5 to 0.5.18 has "--gpu-memory-utilization": remove it',
  ],
];

test.each(refused)(
  'L5 refuseArguments names the release that has a flag, or the one that is meant, when %s',
  (_name, engine, args, message) => {
    expect(refuseArguments(engine, args)).toEqual([message]);
  },
);

const taken: readonly [string, ReturnType<typeof vllm> | ReturnType<typeof sglang>, string[]][] = [
  ['the release has it', vllm('0.19.1'), ['--enable-lora', '--max-loras=4', '--lora-modules', 'sql=/a']],
  ['it is a short name', vllm('0.19.1'), ['-tp', '2', '-O3', '-O', '3', '-cc.mode=3']],
  ['a switch is turned off', vllm('0.19.1'), ['--no-enable-prefix-caching']],
  ['it is one key of a JSON flag', vllm('0.19.1'), ['--hf-overrides.rope_scaling.factor=4']],
  ['it is the beginning of one flag only', vllm('0.19.1'), ['--max-num-seq=8']],
  ['a release between two of the table may have what either has', vllm('0.11.0'), ['--nnodes=2']],
  [
    'the image has its CUDA in the tag',
    { type: 'SGLang', image: 'lmsysorg/sglang:v0.5.6.post2-cu126' },
    ['--enable-metrics'],
  ],
  ['the release is newer than the table', vllm('0.99.0'), ['--not-yet-thought-of']],
  ['the release is older than the table', vllm('0.6.0'), ['--num-lookahead-slots=1']],
  ['the image is a fork', { type: 'vLLM', image: 'vllm/vllm-openai:mimo-v2.6' }, ['--of-its-own']],
  [
    'the image has a tag of its own',
    { type: 'vLLM', image: 'registry.example.com/vllm-openai:v0.19.1-ours' },
    ['--of-its-own'],
  ],
  [
    'the image has a digest only',
    { type: 'vLLM', image: `vllm/vllm-openai@sha256:${'0a'.repeat(32)}` },
    ['--of-its-own'],
  ],
];

test.each(taken)('refuseArguments says nothing when %s', (_name, engine, args) => {
  expect(refuseArguments(engine, args)).toEqual([]);
});

describe.each(['vLLM', 'SGLang'] as const)('the table of %s', (type) => {
  const { versions, flags, source, readOn } = flagTable(type);

  test('has its source, and only ranges of releases that were read', () => {
    expect([source.length > 0, readOn]).toEqual([true, '2026-12-02']);
    expect(Object.keys(flags).length).toBeGreaterThan(300);
    const ranges = Object.values(flags).map((range) => range.map((version) => versions.indexOf(version)));
    expect(ranges.filter(([first = -1, last = -1]) => first < 0 || last < first)).toEqual([]);
  });

  test('refuses a flag exactly in the releases outside of its range', () => {
    const image = type === 'vLLM' ? 'vllm/vllm-openai' : 'lmsysorg/sglang';
    const entries = Object.entries(flags);
    fc.assert(
      fc.property(fc.constantFrom(...entries), fc.constantFrom(...versions), ([flag, [first, last]], version) => {
        const at = versions.indexOf(version);
        const isKnown = at >= versions.indexOf(first) && at <= versions.indexOf(last);
        const said = explainUnknownFlag({ type, image: `${image}:v${version}` }, flag);
        // The beginning of one other flag is taken for that one.
        if (isKnown) expect(said).toBeUndefined();
        else if (said !== undefined) expect(said).toContain(version);
        else
          expect(
            entries.filter(([other]) => other !== flag && other.startsWith(flag)).length +
              Number(/^(-O|--no-)/.test(flag)),
          ).toBeGreaterThan(0);
      }),
    );
  });
});
