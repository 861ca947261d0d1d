import { describe, expect, test } from 'vitest';
import { checkpointOf, hostPathOf, type Weights } from '../model/weights.ts';
import { weightsMount, weightsVolume } from './weights-volume.ts';

const claim = { persistentVolumeClaim: { claimName: 'models', readOnly: true } };
const download = { emptyDir: { sizeLimit: '24Gi' } };

const rows: readonly [string, Weights | undefined, object, string, boolean][] = [
  ['nothing is said', undefined, download, 'a/b', false],
  ['the hub is named', { type: 'Hub' }, download, 'a/b', false],
  ['a claim has them at its root', { type: 'PersistentVolumeClaim', claimName: 'models' }, claim, '/weights', true],
  [
    'a claim has them in a directory',
    { type: 'PersistentVolumeClaim', claimName: 'models', path: 'llama/3.1' },
    claim,
    '/weights/llama/3.1',
    true,
  ],
  [
    'the node has them',
    { type: 'HostPath', path: '/mnt/models/llama' },
    { hostPath: { path: '/mnt/models/llama', type: 'Directory' } },
    '/weights',
    true,
  ],
];

describe('the weights', () => {
  test.each(rows)('come from one place, and only a download is written to, when %s', (...row) => {
    const [, weights, volume, checkpoint, isReadOnly] = row;
    const model = { name: 'a/b', weights };
    expect(weightsVolume({ model, weightBytes: 15 * 2 ** 30 })).toEqual({ name: 'weights', ...volume });
    const mount = { name: 'weights', mountPath: '/weights' };
    expect(weightsMount({ model })).toEqual(isReadOnly ? { ...mount, readOnly: true } : mount);
    expect(checkpointOf(model)).toBe(checkpoint);
    expect(hostPathOf(model)).toBe(weights?.type === 'HostPath' ? weights.path : undefined);
  });
});
