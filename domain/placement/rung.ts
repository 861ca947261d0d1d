/** One node group of a rung, as observed. */
export interface GroupView {
  readonly key: string;
  readonly name: string;
  /** Size that our last rendering asked for. */
  readonly specSize: number;
  /** Size that the provider last reported; undefined while it reports nothing. */
  readonly observedSize?: number;
  /** Status that the provider last reported, e.g. ACTIVE; evidence only, never a verdict (L11). */
  readonly providerStatus?: string;
  /** Instance types that the group launches, which a newer class cannot change; none where they cannot be read. */
  readonly instanceTypes?: readonly string[];
  /** When the group was asked for nodes; undefined while it is parked. */
  readonly askedAt?: string;
  /** When it was raised from zero, while no report has shown that yet: a reported zero may be older. */
  readonly raisedAt?: string;
  /** When the group was last parked. */
  readonly parkedAt?: string;
  /** Nodes that have joined the cluster. */
  readonly joined: number;
  /** Joined nodes that are Ready and schedulable. */
  readonly usable: number;
}

/** What the ledger of the cluster has of an existing pool for one replica. */
export interface PoolPlace {
  readonly name: string;
  readonly acceleratorsPerNode: number;
  /** Whether the ledger granted what the rung takes, could grant it, or has no room for it. */
  readonly room: 'Granted' | 'Free' | 'Full';
  /** Granted nodes that no longer exist. */
  readonly lost: readonly string[];
  /** Nodes that the workload was rendered for and in whose place others are granted: it is there until it is rendered anew. */
  readonly leaving: readonly string[];
  /** Accelerators that are granted to nobody, of all; undefined where the cluster has the pool no more. */
  readonly free: string | undefined;
}

/** One rung of a replica's ladder: what it would take, and what there is of it. */
export interface RungView {
  /** Class, shape, and market or pool; see `rungName`. */
  readonly name: string;
  readonly nodes: number;
  /** Dearest price of the whole rung in dollars per hour. */
  readonly usdPerHour: number;
  /** Nobody knows the price, which then counts as nothing: only a claim without a budget may ask for it. */
  readonly isUnpriced?: boolean;
  /** Set where the nodes exist and the ledger grants them. */
  readonly pool?: PoolPlace;
  /** Groups that exist, of a pool the granted nodes; empty when the rung was never asked for. */
  readonly groups: readonly GroupView[];
  /** Its reservation nears its end: what serves on it is left once another rung has its nodes (rule 7). */
  readonly isEnding?: boolean;
  /** False for a rung that no longer is a candidate: it is kept while it holds something, never asked anew. */
  readonly allowed: boolean;
}

export type RungState = 'Free' | 'Parked' | 'Asked' | 'Arriving' | 'Joined' | 'Usable' | 'Serving' | 'Draining';

export function joinedNodes(rung: RungView): number {
  return rung.groups.reduce((sum, group) => sum + group.joined, 0);
}

export function usableNodes(rung: RungView): number {
  return rung.groups.reduce((sum, group) => sum + group.usable, 0);
}

/** When the rung was asked; undefined when it is parked or was never asked. */
export function askedAt(rung: RungView): string | undefined {
  const moments = rung.groups.map((group) => group.askedAt).filter((moment) => moment !== undefined);
  return moments.sort()[0];
}

/** When the rung was last parked; empty text when it never was, so that it sorts first. */
export function parkedAt(rung: RungView): string {
  return (
    rung.groups
      .map((group) => group.parkedAt ?? '')
      .sort()
      .at(-1) ?? ''
  );
}

/**
 * A rung may cost money until it is seen at size zero without a node; a size that nobody reports is not zero, nor is one
 * that was reported before a raise (rule 3).
 */
export function countsAsAsked(rung: RungView): boolean {
  return rung.groups.some(
    ({ askedAt: asked, raisedAt, specSize, observedSize, joined }) =>
      asked !== undefined || raisedAt !== undefined || specSize > 0 || observedSize !== 0 || joined > 0,
  );
}
