import type { NamespaceCaps } from '../hardware/guardrails.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { formatUsd, sumUsd, type UsdPerHour } from '../units/usd.ts';
import { type AmountName, amountNames } from './amounts.ts';
import { readGrants } from './grant-shares.ts';

/** What one cap of its namespace leaves for one replica. */
export interface NamespaceShare {
  readonly namespace: string;
  /** The object that states the cap, as a message names it: `InferenceCluster "europe"`. */
  readonly owner: string;
  readonly cap: number;
  /** What the ledger grants to the replica. */
  readonly granted: number;
  /** What it grants to the other replicas of the namespace. */
  readonly others: number;
}

/** What the caps of one owner leave; an amount without a cap is left out. */
export type OwnerShares = { readonly [name in AmountName]?: NamespaceShare | undefined };

/** What every cap of its namespace leaves: those of its cluster, and those of the classes that have some. */
export interface NamespaceShares extends OwnerShares {
  readonly byClass?: Readonly<Record<string, OwnerShares>>;
}

/** The object that states caps and keeps their ledger: an InferenceCluster or an InferenceClass. */
export interface CapOwner {
  readonly object: KubernetesObject;
  readonly guardrails: { readonly perNamespace?: NamespaceCaps | undefined };
}

interface Replica {
  readonly namespace: string;
  readonly name: string;
}

/** The shares of a replica by the ledgers of its cluster and of its classes; undefined where the namespace has no cap. */
export function readNamespaceShares(
  cluster: CapOwner,
  classes: readonly CapOwner[],
  replica: Replica,
): NamespaceShares | undefined {
  const byClass = classes.flatMap((owner) => {
    const shares = readOwnerShares(owner, replica);
    return shares === undefined ? [] : [[owner.object.metadata.name ?? '', shares] as const];
  });
  const ofCluster = readOwnerShares(cluster, replica);
  if (byClass.length === 0) return ofCluster;
  return { ...ofCluster, byClass: Object.fromEntries(byClass) };
}

function readOwnerShares({ object, guardrails }: CapOwner, replica: Replica): OwnerShares | undefined {
  const { perNamespace = {} } = guardrails;
  const capped = amountNames.filter((name) => perNamespace[name] !== undefined);
  if (capped.length === 0) return undefined;
  const grants = readGrants(object).filter(({ namespace }) => namespace === replica.namespace);
  const own = grants.find((grant) => grant.replica === replica.name);
  const others = grants.filter((grant) => grant !== own);
  const shareOf = (name: AmountName): NamespaceShare => ({
    namespace: replica.namespace,
    owner: `${object.kind} "${object.metadata.name ?? ''}"`,
    cap: perNamespace[name] ?? 0,
    granted: own?.[name] ?? 0,
    others: sumUsd(others.map((grant) => grant[name])),
  });
  return Object.fromEntries(capped.map((name) => [name, shareOf(name)]));
}

/** What a candidate takes; undefined where its price is unknown. */
export interface CandidateAmounts {
  readonly usdPerHour: UsdPerHour | undefined;
  readonly accelerators: number;
}

/** An amount for people. */
export function formatAmount(name: AmountName, amount: number): string {
  if (name === 'usdPerHour') return formatUsd(amount);
  return amount === 1 ? '1 accelerator' : `${amount} accelerators`;
}

const takes = { usdPerHour: 'costs', accelerators: 'takes' } as const;
const smaller = {
  usdPerHour: 'allow a cheaper class',
  accelerators: 'allow a class with larger accelerators',
} as const;

/** Every cap that a candidate does not fit in beside what the other replicas hold, with the sum. */
export function explainCaps(what: string, amounts: CandidateAmounts, shares: OwnerShares): readonly string[] {
  return amountNames.flatMap((name) => {
    const share = shares[name];
    const message = share === undefined ? undefined : explainCap({ what, name, amount: amounts[name], share });
    return message === undefined ? [] : [message];
  });
}

interface CapQuestion {
  readonly what: string;
  readonly name: AmountName;
  readonly amount: number | undefined;
  readonly share: NamespaceShare;
}

function explainCap({ what, name, amount, share }: CapQuestion): string | undefined {
  const { namespace, owner, cap, granted, others } = share;
  const rule = `${owner} allows namespace "${namespace}" ${formatAmount(name, cap)}`;
  if (amount === undefined)
    return `${what} has no known price, and ${rule}: set usdPerHour of the node types of its class`;
  const total = sumUsd([amount, others]);
  // What was granted stays, also when its owner lowers the cap below it: its nodes may have joined already (S1).
  if (amount <= granted || total <= cap) return undefined;
  const beside =
    others === 0
      ? ''
      : ` beside ${formatAmount(name, others)} of other replicas, together ${formatAmount(name, total)},`;
  return `${what} ${takes[name]} ${formatAmount(name, amount)}${beside} and ${rule}: release replicas, ${smaller[name]}, or let its owner raise spec.guardrails.perNamespace.${name}`;
}
