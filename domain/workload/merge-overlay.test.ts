import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeOverlay } from './merge-overlay.ts';

const engine = { name: 'engine', image: 'vllm:1', volumeMounts: [{ name: 'shm', mountPath: '/dev/shm' }] };
const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [engine], tolerations: [{ key: 'gpu' }], volumes: [{ name: 'shm', emptyDir: {} }] },
};

const rows: readonly [string, object, object][] = [
  ['nothing where it says nothing', {}, template],
  [
    'a map by key',
    { metadata: { labels: { team: 'chat' } } },
    { ...template, metadata: { labels: { app: 'a', team: 'chat' } } },
  ],
  [
    'the container of the engine by name, and its mounts by path',
    { spec: { containers: [{ name: 'engine', volumeMounts: [{ name: 'mine', mountPath: '/mine' }] }] } },
    {
      ...template,
      spec: {
        ...template.spec,
        containers: [{ ...engine, volumeMounts: [...engine.volumeMounts, { name: 'mine', mountPath: '/mine' }] }],
      },
    },
  ],
  [
    'another container behind it',
    { spec: { containers: [{ name: 'proxy', image: 'proxy:1' }] } },
    { ...template, spec: { ...template.spec, containers: [engine, { name: 'proxy', image: 'proxy:1' }] } },
  ],
  [
    'a list without a key by continuing it',
    { spec: { tolerations: [{ key: 'team' }] } },
    { ...template, spec: { ...template.spec, tolerations: [{ key: 'gpu' }, { key: 'team' }] } },
  ],
  [
    'a field that is new',
    { spec: { priorityClassName: 'serving' } },
    { ...template, spec: { ...template.spec, priorityClassName: 'serving' } },
  ],
];
test.each(rows)('mergeOverlay merges %s', (_name, overlay, expected) => {
  expect(mergeOverlay(template, overlay as Record<string, unknown>)).toEqual(expected);
});

test('S3 mergeOverlay keeps every container and volume of the template, in its place', () => {
  const names = fc.uniqueArray(fc.constantFrom('engine', 'a', 'b', 'c'), { maxLength: 4 });
  fc.assert(
    fc.property(names, names, (under, over) => {
      const list = (all: readonly string[]) => ({ containers: all.map((name) => ({ name })) });
      const { containers } = mergeOverlay(list(under), list(over)) as ReturnType<typeof list>;
      const merged = containers.map(({ name }) => name);
      expect(merged.slice(0, under.length)).toEqual(under);
      expect(new Set(merged)).toEqual(new Set([...under, ...over]));
      expect(merged.length).toBe(new Set(merged).size);
    }),
  );
});
