import { expect, test } from 'vitest';
import { containerSecurity, podSecurity, userVariables, writableMounts, writableVolumes } from './security.ts';

type Question = Parameters<typeof podSecurity>[0];
const engine: Question['engine'] = { type: 'vLLM', image: 'vllm/vllm-openai:v0.19.0', args: [] };
const vllm: Question = { vendor: 'NVIDIA', engine };
const sglang: Question = { vendor: 'NVIDIA', engine: { ...engine, type: 'SGLang' } };
const amd: Question = { ...vllm, vendor: 'AMD' };

const rows: readonly [string, Question, { user: number | undefined; readOnly: boolean; home: boolean }][] = [
  ['vLLM on NVIDIA', vllm, { user: 2000, readOnly: true, home: true }],
  ['SGLang, which writes beside its sources', sglang, { user: 2000, readOnly: false, home: true }],
  ['AMD, whose devices belong to a group of the node', amd, { user: undefined, readOnly: false, home: false }],
  ['an image that needs root', { ...vllm, pod: { user: 'Image' } }, { user: undefined, readOnly: false, home: false }],
  [
    'an image that needs root, with a root that is read-only',
    { ...vllm, pod: { user: 'Image', rootFilesystem: 'ReadOnly' } },
    { user: undefined, readOnly: true, home: true },
  ],
  ['AMD where the claim says so', { ...amd, pod: { user: 'NonRoot' } }, { user: 2000, readOnly: true, home: true }],
  [
    'a root that the claim makes writable',
    { ...vllm, pod: { rootFilesystem: 'Writable' } },
    { user: 2000, readOnly: false, home: true },
  ],
];
test.each(rows)('the engine runs as it may and writes where it may: %s', (_name, question, expected) => {
  const { runAsUser, runAsNonRoot, seccompProfile } = podSecurity(question);
  const container = containerSecurity(question);
  expect({
    user: runAsUser,
    readOnly: container.readOnlyRootFilesystem === true,
    home: userVariables(question).some(({ name, value }) => name === 'HOME' && value === '/home/engine'),
  }).toEqual(expected);
  expect(runAsNonRoot === true).toBe(runAsUser !== undefined);
  expect(seccompProfile).toEqual({ type: 'RuntimeDefault' });
  expect(container).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
  const mounted = writableMounts(question).map(({ name }) => name);
  expect(mounted).toEqual(writableVolumes(question).map(({ name }) => name));
  expect(mounted).toEqual(expected.home ? ['home', 'tmp'] : []);
});
