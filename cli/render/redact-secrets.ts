import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';

/** Annotation in which kubectl keeps the object as it was applied, values and all. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const redacted = 'redacted';

/** An object as it may be printed: values of a Secret are never shown. */
export function redactSecrets(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'Secret') return object;
  const { metadata } = object;
  const isApplied = metadata.annotations?.[lastApplied] !== undefined;
  const annotations = isApplied ? { annotations: { ...metadata.annotations, [lastApplied]: redacted } } : {};
  return {
    ...object,
    metadata: { ...metadata, ...annotations },
    ...redactField(object, 'data'),
    ...redactField(object, 'stringData'),
  };
}

function redactField(object: KubernetesObject, field: string): Record<string, unknown> {
  const values = object[field];
  if (values === undefined) return {};
  if (!isRecord(values)) return { [field]: redacted };
  return { [field]: Object.fromEntries(Object.keys(values).map((key) => [key, redacted])) };
}
