import type { Cluster } from '../../domain/hardware/hardware-class.ts';
import { annotation } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { restoreRendered } from '../../domain/kubernetes/owned-fields.ts';
import { remember } from '../../domain/kubernetes/remember.ts';
import { type Candidate, rungName } from '../../domain/placement/candidate.ts';
import type { Climb, RungDecision } from '../../domain/placement/climb-ladder.ts';
import { describeGroup } from '../../domain/placement/describe-rung.ts';
import {
  type ReplicaIdentity,
  renderNodeGroups,
  renderTemplate,
  resizeNodeGroup,
} from '../../domain/placement/node-group.ts';
import { raiseMemory } from '../../domain/placement/raise-memory.ts';
import { askedAt, type GroupView, type RungView, usableNodes } from '../../domain/placement/rung.ts';
import { judgeReadiness } from '../../domain/readiness/judge-readiness.ts';
import { formatTimestamp, millisBetween, minuteMillis } from '../../domain/units/duration.ts';
import type { Composed, ResourceState } from '../compose.ts';

export interface PoolsQuestion {
  readonly climb: Climb;
  readonly pools: ReadonlyMap<string, KubernetesObject>;
  /** Observed launch templates of the replica by their key. */
  readonly templates: ReadonlyMap<string, KubernetesObject>;
  readonly candidates: readonly Candidate[];
  readonly replica: ReplicaIdentity;
  readonly cluster: Cluster;
  readonly now: Date;
}

/** The node groups of every rung that was ever asked, at the size that the ladder decided. */
export function composePools(question: PoolsQuestion): ReadonlyMap<string, Composed> {
  const composed = new Map<string, Composed>();
  for (const [key, observed] of question.templates) composed.set(key, keepTemplate(observed));
  for (const decision of question.climb.decisions) {
    const { rung, wanted } = decision;
    if (rung.groups.length === 0 && wanted !== 'Asked') continue;
    const groups = [...resizeGroups(decision, question), ...(wanted === 'Asked' ? createGroups(rung, question) : [])];
    for (const [key, item] of groups) composed.set(key, item);
  }
  return composed;
}

/**
 * The groups that an asked rung lacks, at size zero, raised once they exist (aws.md A5): all of them at first, later
 * those of a gang that could not be made or that somebody deleted.
 */
function createGroups(rung: RungView, question: PoolsQuestion): readonly (readonly [string, Composed])[] {
  const candidate = question.candidates.find((allowed) => rungName(allowed) === rung.name);
  if (candidate === undefined) return [];
  const since = askedAt(rung) ?? formatTimestamp(question.now);
  const groups = renderNodeGroups(candidate, question.replica)
    .map((rendered) => remember(rendered, { [annotation.askedAt]: since }))
    .map((object) => [`pool-${object.metadata.name}`, object] as const)
    .filter(([key]) => !question.pools.has(key))
    .slice(0, rung.nodes - rung.groups.length)
    .map(([key, object]): readonly [string, Composed] => {
      return [key, toComposed(object, question, { state: 'Asked', joined: 0, ready: false, since })];
    });
  return groups.length === 0 ? [] : [...createTemplate(candidate, question), ...groups];
}

/** Prefix of the keys of launch templates. */
export const templatePrefix = 'template-';

/**
 * The launch template that new groups name, in the same pass: a group that EKS refuses since its template is not there
 * yet is tried again by the provider, and patience counts from the asking.
 */
function createTemplate(
  candidate: Candidate,
  { replica, templates }: PoolsQuestion,
): readonly (readonly [string, Composed])[] {
  const object = renderTemplate(candidate, replica);
  const key = `${templatePrefix}${object?.metadata.name}`;
  if (object === undefined || templates.has(key)) return [];
  return [[key, { object, ready: false, state: 'Created', why: 'what the nodes of a rung are launched from' }]];
}

/** A template stays as it was rendered: another version of it would roll nodes (S2). */
function keepTemplate(observed: KubernetesObject): Composed {
  const ready = judgeReadiness(observed) === 'Ready';
  const why = 'what the nodes of a rung are launched from';
  return { object: restoreRendered(observed), ready, state: ready ? 'Ready' : 'Created', why };
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
    const since = pastMoment(group.askedAt, now) ?? formatTimestamp(now);
    const size = group.specSize === 1 || canGrow(group) ? 1 : 0;
    const memory = { [annotation.askedAt]: since, ...raiseMemory(group, size, now) };
    return { object: remember(resizeNodeGroup(observed, size), memory), since };
  }
  const memory = raiseMemory(group, 0, now);
  if (wanted === 'Untouched') return { object: remember(restoreRendered(observed), memory) };
  const parking = { [annotation.askedAt]: '', [annotation.parkedAt]: formatTimestamp(now) };
  return { object: remember(resizeNodeGroup(observed, 0), { ...parking, ...memory }) };
}

/** Minutes by which the clocks of two functions may differ. */
const clockSkewMinutes = 5;

/** A moment of asking; undefined for one that lies ahead, which would hold the next rung back until then. */
function pastMoment(moment: string | undefined, now: Date): string | undefined {
  const isAhead = moment !== undefined && millisBetween(moment, now) < -clockSkewMinutes * minuteMillis;
  return isAhead ? undefined : moment;
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
  const why = describeGroup(object, cluster.eks?.subnets ?? [], seen.joined);
  const since = seen.state === 'Asked' && seen.since !== undefined ? { since: seen.since } : {};
  return { object, ready: seen.ready, state: seen.state, why, ...since };
}
