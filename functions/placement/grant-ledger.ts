/** The grants under the caps of each namespace, as whoever states the caps publishes them. */
import { apiVersion, label } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { amountNames, type Caps } from '../../domain/placement/amounts.ts';
import { describeGrant, grantShares, type ReplicaDemand, readGrants } from '../../domain/placement/grant-shares.ts';
import type { CapOwner } from '../../domain/placement/namespace-share.ts';

/** The requirement for every ModelReplica; for a ledger only. */
export const everyReplica = {
  apiVersion,
  kind: 'ModelReplica',
  matchLabels: { [label.managedBy]: 'modelberth' },
} as const;

/** Grants that a status lists at most; a replica without one waits. */
const mostGrants = 512;

/** The caps of each namespace; undefined where there is none, so that no replica need be read. */
export function capsOf({ perNamespace = {} }: CapOwner['guardrails']): Caps | undefined {
  return amountNames.some((name) => perNamespace[name] !== undefined) ? perNamespace : undefined;
}

/** The grants to publish, beside those that the owner of the caps published before. */
export function publishGrants(owner: KubernetesObject, caps: Caps, demands: readonly ReplicaDemand[]) {
  const grants = grantShares(demands, readGrants(owner), caps).slice(0, mostGrants);
  return { grants: grants.map((grant) => describeGrant(grant, caps)) };
}
