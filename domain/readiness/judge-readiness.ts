import type { KubernetesObject } from '../kubernetes/object.ts';
import { checks } from './checks.ts';

/** What an observed object proves about itself. */
export type Readiness = 'Ready' | 'NotReady' | 'Unknown';

/** Judges an observed object by the check of its kind; a kind without a check is Unknown (S5). */
export function judgeReadiness(observed: KubernetesObject): Readiness {
  const check = Object.hasOwn(checks, observed.kind) ? checks[observed.kind] : undefined;
  return check === undefined ? 'Unknown' : check(observed);
}
