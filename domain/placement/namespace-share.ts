import type { Guardrails } from '../hardware/guardrails.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { formatUsd, sumUsd, type UsdPerHour } from '../units/usd.ts';
import { readGrants } from './grant-shares.ts';

/** What the cap of its namespace leaves for one replica. */
export interface NamespaceShare {
  readonly namespace: string;
  /** The object that states the cap, as a message names it: `InferenceCluster "europe"`. */
  readonly owner: string;
  readonly cap: UsdPerHour;
  /** What the ledger grants to the replica. */
  readonly granted: UsdPerHour;
  /** What it grants to the other replicas of the namespace. */
  readonly others: UsdPerHour;
}

/** The share of a replica by the ledger of its cluster; undefined where the namespace has no cap. */
export function readNamespaceShare(
  cluster: KubernetesObject,
  { perNamespace }: Guardrails,
  replica: { readonly namespace: string; readonly name: string },
): NamespaceShare | undefined {
  const cap = perNamespace?.usdPerHour;
  if (cap === undefined) return undefined;
  const grants = readGrants(cluster).filter(({ namespace }) => namespace === replica.namespace);
  const own = grants.find((grant) => grant.replica === replica.name);
  return {
    namespace: replica.namespace,
    owner: `InferenceCluster "${cluster.metadata.name ?? ''}"`,
    cap,
    granted: own?.usdPerHour ?? 0,
    others: sumUsd(grants.filter((grant) => grant !== own).map(({ usdPerHour }) => usdPerHour)),
  };
}

/** Why a price does not fit beside what the other replicas hold, with the sum; undefined when it does. */
export function explainCap(what: string, price: UsdPerHour | undefined, share: NamespaceShare): string | undefined {
  const { namespace, owner, cap, granted, others } = share;
  const rule = `${owner} allows namespace "${namespace}" ${formatUsd(cap)}`;
  if (price === undefined)
    return `${what} has no known price, and ${rule}: set usdPerHour of the node types of its class`;
  const total = sumUsd([price, others]);
  // What was granted stays, also when its owner lowers the cap below it: its nodes may have joined already (S1).
  if (price <= granted || total <= cap) return undefined;
  const beside = others === 0 ? '' : ` beside ${formatUsd(others)} of other replicas, together ${formatUsd(total)},`;
  return `${what} costs ${formatUsd(price)}${beside} and ${rule}: release replicas, allow a cheaper class, or let its owner raise spec.guardrails.perNamespace.usdPerHour`;
}
