import type { PodSettings, PodVolume } from './pod-settings.ts';

/** The volumes of the author, as a pod has them. */
export function userVolumes(pod: PodSettings | undefined): readonly Record<string, unknown>[] {
  return (pod?.volumes ?? []).map((volume) => ({ name: volume.name, ...sourceOf(volume) }));
}

function sourceOf({ type, source, size, readOnly = true }: PodVolume): Record<string, unknown> {
  switch (type) {
    case 'PersistentVolumeClaim':
      return { persistentVolumeClaim: { claimName: source, readOnly } };
    case 'ConfigMap':
      return { configMap: { name: source } };
    case 'Secret':
      return { secret: { secretName: source } };
    case 'EmptyDir':
      return { emptyDir: size === undefined ? {} : { sizeLimit: size } };
    default:
      return type satisfies never;
  }
}

/** Where the engine finds them. */
export function userMounts(pod: PodSettings | undefined): readonly Record<string, unknown>[] {
  return (pod?.volumes ?? []).map(({ name, type, mountPath, readOnly = type !== 'EmptyDir' }) => {
    return { name, mountPath, ...(readOnly ? { readOnly } : {}) };
  });
}
