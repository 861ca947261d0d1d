import { expect, test } from 'vitest';
import type { PodVolume } from './pod-settings.ts';
import { userMounts, userVolumes } from './user-volumes.ts';

const at = { name: 'mine', mountPath: '/mine' };
const rows: readonly [string, PodVolume, object, object][] = [
  [
    'a volume claim, which several pods may read',
    { ...at, type: 'PersistentVolumeClaim', source: 'adapters' },
    { persistentVolumeClaim: { claimName: 'adapters', readOnly: true } },
    { readOnly: true },
  ],
  [
    'a volume claim that is written',
    { ...at, type: 'PersistentVolumeClaim', source: 'traces', readOnly: false },
    { persistentVolumeClaim: { claimName: 'traces', readOnly: false } },
    {},
  ],
  ['a ConfigMap', { ...at, type: 'ConfigMap', source: 'chat' }, { configMap: { name: 'chat' } }, { readOnly: true }],
  ['a Secret', { ...at, type: 'Secret', source: 'tls' }, { secret: { secretName: 'tls' } }, { readOnly: true }],
  ['an empty directory', { ...at, type: 'EmptyDir' }, { emptyDir: {} }, {}],
  [
    'an empty directory with a bound',
    { ...at, type: 'EmptyDir', size: '20Gi', readOnly: true },
    { emptyDir: { sizeLimit: '20Gi' } },
    { readOnly: true },
  ],
];
test.each(rows)('L19 a pod has the volume of the author: %s', (_name, volume, source, mount) => {
  expect(userVolumes({ volumes: [volume] })).toEqual([{ name: 'mine', ...source }]);
  expect(userMounts({ volumes: [volume] })).toEqual([{ ...at, ...mount }]);
});

test('L19 a pod has no other volume where the author lists none', () => {
  expect([userVolumes(undefined), userMounts({})]).toEqual([[], []]);
});
