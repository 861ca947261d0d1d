/**
 * Says when a step's function is of another release than the Composition that calls it. Crossplane upgrades the five
 * packages one by one, and a Composition may be held back by its update policy, so for a while this is normal: a step
 * works on, from what is shared, and freezes only on what it cannot read.
 */
import type { Condition } from '../domain/kubernetes/condition.ts';
import { isRecord, type KubernetesObject, readList } from '../domain/kubernetes/object.ts';
import type { FunctionName } from './steps.ts';

const type = 'PackagesMatch';

export interface Versions {
  /** Of the Configuration, as it is stamped into the Input; undefined where the Composition comes from the sources. */
  readonly composition: string | undefined;
  /** Of the function's own package; undefined where it runs from the sources. */
  readonly function: string | undefined;
}

/** The condition that names both versions where they differ; undefined where there is nothing to say. */
export function skewCondition(name: FunctionName, xr: KubernetesObject, versions: Versions): Condition | undefined {
  const { composition, function: own } = versions;
  if (composition === undefined || own === undefined) return undefined;
  if (composition !== own) {
    const message = `${subject(name)} is of release "${own}" and the Composition of "${composition}": bring the Configuration and its Functions to one release`;
    return { type, status: 'False', reason: 'VersionSkew', message };
  }
  // Core keeps a condition that is not said again. Each step takes back only what it said itself.
  const said = readList(xr, ['status', 'conditions']).filter(isRecord);
  const isOwn = said.some(
    (condition) =>
      condition.type === type && condition.status === 'False' && String(condition.message).startsWith(subject(name)),
  );
  return isOwn ? { type, status: 'True', reason: 'Complete', message: 'All packages are of one release' } : undefined;
}

function subject(name: FunctionName): string {
  return `The function of the ${name} step`;
}
