import type { KubernetesObject } from './object.ts';

/** The same object with memory on it; an empty value marks what is over, since an annotation is never removed. */
export function remember(object: KubernetesObject, memory: Readonly<Record<string, string>>): KubernetesObject {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...memory } } };
}
