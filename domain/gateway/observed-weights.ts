import { isRecord, type KubernetesObject, readList, readNumber, readString } from '../kubernetes/object.ts';

/** The backends of an AIGatewayRoute or an HTTPRoute by name, with the largest weight that any rule gives them. */
export function readWeights(route: KubernetesObject | undefined): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const refs = readList(route, ['spec', 'rules'])
    .flatMap((rule) => readList(rule, ['backendRefs']))
    .filter(isRecord);
  for (const ref of refs) {
    const name = readString(ref, ['name']) ?? '';
    // A backend without a weight has 1 (Gateway API).
    weights.set(name, Math.max(weights.get(name) ?? 0, readNumber(ref, ['weight']) ?? 1));
  }
  return weights;
}
