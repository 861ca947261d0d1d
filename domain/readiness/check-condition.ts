import { isRecord, type KubernetesObject, readList, readNumber } from '../kubernetes/object.ts';
import type { Check } from './checks.ts';
import type { Readiness } from './judge-readiness.ts';

/** Envoy AI Gateway has one condition at a time: Accepted, or this one (1.0.0, internal/controller, read 2026-12-02). */
const refusals: Readonly<Record<string, string>> = { Accepted: 'NotAccepted' };

/** The type of the condition that says the opposite of one, where a controller sets such a type. */
export function refusalOf(type: string): string | undefined {
  return refusals[type];
}

/**
 * A check by one condition. Policies and routes report it once per ancestor or parent: all of them must agree.
 * A condition of an older generation is Unknown.
 */
export function checkCondition(type: string): Check {
  return (observed) => {
    const lists = conditionLists(observed);
    if (lists.length === 0) return 'Unknown';
    return worst(lists.map((list) => judgeList(list, type, observed)));
  };
}

/** The conditions of each parent or ancestor, where it has any; else its own. */
function conditionLists(observed: KubernetesObject): readonly (readonly Record<string, unknown>[])[] {
  const parents = [...readList(observed, ['status', 'ancestors']), ...readList(observed, ['status', 'parents'])];
  if (parents.length > 0) return parents.map((parent) => readList(parent, ['conditions']).filter(isRecord));
  return [readList(observed, ['status', 'conditions']).filter(isRecord)];
}

function judgeList(
  conditions: readonly Record<string, unknown>[],
  type: string,
  observed: KubernetesObject,
): Readiness {
  if (conditions.some((condition) => condition.type === refusalOf(type))) return 'NotReady';
  const found = conditions.filter((condition) => condition.type === type);
  return found.length === 0 ? 'Unknown' : worst(found.map((condition) => judge(condition, observed)));
}

function judge(condition: Record<string, unknown>, observed: KubernetesObject): Readiness {
  const seen = readNumber(condition, ['observedGeneration']);
  const { generation } = observed.metadata;
  if (seen !== undefined && generation !== undefined && seen < generation) return 'Unknown';
  if (condition.status === 'True') return 'Ready';
  return condition.status === 'False' ? 'NotReady' : 'Unknown';
}

function worst(found: readonly Readiness[]): Readiness {
  if (found.includes('NotReady')) return 'NotReady';
  return found.includes('Unknown') ? 'Unknown' : 'Ready';
}
