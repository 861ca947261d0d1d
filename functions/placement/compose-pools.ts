import type { Cluster } from '../../domain/hardware/hardware-class.ts';
import { annotation } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { restoreRendered } from '../../domain/kubernetes/owned-fields.ts';
import { type Candidate, rungName } from '../../domain/placement/candidate.ts';
import type { Climb, RungDecision } from '../../domain/placement/climb-ladder.ts';
import { describeGroup } from '../../domain/placement/describe-rung.ts';
import {
  type ReplicaIdentity,
  remember,
  renderNodeGroups,
  resizeNodeGroup,
} from '../../domain/placement/node-group.ts';
import { type GroupView, usableNodes } from '../../domain/placement/rung.ts';
import { formatTimestamp } from '../../domain/units/duration.ts';
import type { Composed, ResourceState } from '../compose.ts';

export interface PoolsQuestion {
  readonly climb: Climb;
  readonly pools: ReadonlyMap<string, KubernetesObject>;
  readonly candidates: readonly Candidate[];
  readonly replica: ReplicaIdentity;
  readonly cluster: Cluster;
  readonly now: Date;
}

/** The node groups of every rung that was ever asked, at the size that the ladder decided. */
export function composePools(question: PoolsQuestion): ReadonlyMap<string, Composed> {
  const composed = new Map<string, Composed>();
  for (const decision of question.climb.decisions) {
    const { rung, wanted } = decision;
    if (rung.groups.length === 0 && wanted !== 'Asked') continue;
    const groups = rung.groups.length === 0 ? createGroups(decision, question) : resizeGroups(decision, question);
    for (const [key, item] of groups) composed.set(key, item);
  }
  return composed;
}

/** A rung that is asked for the first time: its groups at size zero, raised once they exist (aws.md A5). */
function createGroups(decision: RungDecision, question: PoolsQuestion): readonly (readonly [string, Composed])[] {
  const candidate = question.candidates.find((allowed) => rungName(allowed) === decision.rung.name);
  if (candidate === undefined) return [];
  const since = formatTimestamp(question.now);
  return renderNodeGroups(candidate, question.replica).map((rendered) => {
    const object = remember(rendered, { [annotation.askedAt]: since });
    return [
      `pool-${object.metadata.name}`,
      toComposed(object, question, { state: 'Asked', joined: 0, ready: false, since }),
    ];
  });
}

function resizeGroups(decision: RungDecision, question: PoolsQuestion): readonly (readonly [string, Composed])[] {
  const ready = usableNodes(decision.rung) >= decision.rung.nodes;
  return decision.rung.groups.flatMap((group) => {
    const observed = question.pools.get(group.key);
    if (observed === undefined) return [];
    const { object, since } = resize(observed, group, decision, question.now);
    const item = toComposed(object, question, {
      state: stateOf(decision),
      joined: group.joined,
      ready: ready || decision.wanted !== 'Asked',
      ...(since === undefined ? {} : { since }),
    });
    return [[group.key, item] as const];
  });
}

function stateOf(decision: RungDecision): ResourceState {
  return decision.state === 'Free' ? 'Asked' : decision.state;
}

/** The group at its size, with the moments of asking and parking written in the same apply as the size (S4). */
function resize(
  observed: KubernetesObject,
  group: GroupView,
  { wanted }: RungDecision,
  now: Date,
): { object: KubernetesObject; since?: string } {
  if (wanted === 'Asked') {
    const since = group.askedAt ?? formatTimestamp(now);
    const size = group.specSize === 1 || canGrow(group) ? 1 : 0;
    return { object: remember(resizeNodeGroup(observed, size), { [annotation.askedAt]: since }), since };
  }
  if (wanted === 'Untouched') return { object: restoreRendered(observed) };
  const parked = resizeNodeGroup(observed, 0);
  return { object: remember(parked, { [annotation.askedAt]: '', [annotation.parkedAt]: formatTimestamp(now) }) };
}

/** EKS accepts a new size only once the group is created, and never again after CREATE_FAILED (aws.md A4). */
function canGrow(group: GroupView): boolean {
  return (
    group.providerStatus === 'ACTIVE' || group.providerStatus === 'DEGRADED' || group.providerStatus === 'UPDATING'
  );
}

function toComposed(
  object: KubernetesObject,
  { cluster }: PoolsQuestion,
  seen: { readonly state: ResourceState; readonly joined: number; readonly ready: boolean; readonly since?: string },
): Composed {
  const zones = new Set(cluster.subnets.map((subnet) => subnet.zone)).size;
  const since = seen.state === 'Asked' && seen.since !== undefined ? { since: seen.since } : {};
  return { object, ready: seen.ready, state: seen.state, why: describeGroup(object, zones, seen.joined), ...since };
}
