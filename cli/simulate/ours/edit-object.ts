import { isRecord, type KubernetesObject } from '../../../domain/kubernetes/object.ts';

/** An object with other values, each at the path of its field with dots between the parts; null removes the field. */
export function editObject(object: KubernetesObject, set: Readonly<Record<string, unknown>>): KubernetesObject {
  return Object.entries(set).reduce<KubernetesObject>(
    (edited, [path, value]) => setPath(edited, path.split('.'), value) as unknown as KubernetesObject,
    object,
  );
}

function setPath(value: unknown, [first = '', ...rest]: readonly string[], wanted: unknown): Record<string, unknown> {
  const fields = isRecord(value) ? value : {};
  if (rest.length > 0) return { ...fields, [first]: setPath(fields[first], rest, wanted) };
  const { [first]: _former, ...others } = fields;
  return wanted === null ? others : { ...others, [first]: wanted };
}
