import { ModelReplicaSpec } from '../../apis/modelreplicas/schema.ts';
import { describeFit, fitsCondition } from '../../domain/fit/describe-fit.ts';
import type { Condition } from '../../domain/kubernetes/condition.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { findFacts } from '../../domain/model/find-facts.ts';
import { type Candidate, describePlace, rungName } from '../../domain/placement/candidate.ts';
import type { Climb, LadderQuestion } from '../../domain/placement/climb-ladder.ts';
import {
  climbWithinShare,
  describeWanted,
  grantCondition,
  type SharedClimb,
  spendingOf,
} from '../../domain/placement/climb-within-share.ts';
import { describeCandidates } from '../../domain/placement/describe-candidates.ts';
import { describeNext, describeRung, describeWhere } from '../../domain/placement/describe-rung.ts';
import { type Candidates, listCandidates } from '../../domain/placement/list-candidates.ts';
import { observeRungs } from '../../domain/placement/observe-rungs.ts';
import { placedCondition } from '../../domain/placement/placed-condition.ts';
import { poolCondition } from '../../domain/placement/pools/pool-condition.ts';
import { countsAsAsked } from '../../domain/placement/rung.ts';
import { guardedParts } from '../../domain/workload/guarded-parts.ts';
import type { ComposeRequest, Decision, Freeze, Requirements } from '../compose.ts';
import { freezeBecause, freezeWatching, readSpec } from '../freeze.ts';
import { observedWith } from '../observed-with.ts';
import { composePools, type PoolsQuestion, templatePrefix } from './compose-pools.ts';
import { describeReplicaPools } from './describe-replica-pools.ts';
import { handOverShape } from './hand-over-shape.ts';
import { readLive } from './read-live.ts';
import {
  identityOf,
  type ReplicaSurroundings,
  readSurroundings,
  requireSurroundings,
  type SurroundingsHeld,
} from './read-replica.ts';

/** Rungs and refusals that a status lists at most. */
const most = { rungs: 12, refusals: 20 };

/** Climbs the capacity ladder of one replica and hands over the shape that has nodes. */
export function composeReplica(request: ComposeRequest): Decision | Freeze {
  const read = readSpec(request.xr, ModelReplicaSpec);
  if (read.state === 'Invalid')
    return freezeBecause({ resources: {} }, { type: 'Placed', reason: 'InvalidSpec', message: read.why });
  const { spec } = read;
  const replica = identityOf(request.xr, spec);
  const requirements = requireSurroundings(request, spec, replica);
  const surroundings = readSurroundings(request, spec);
  if (surroundings.state === 'Held') return holdLadder(requirements, surroundings);
  const { cluster } = surroundings.value;
  const candidates = candidatesOf(spec, surroundings.value, request.now);
  const groups = observedWith(request.observed, 'pool-');
  const question = askLadder({ request, spec, candidates, groups, surroundings: surroundings.value });
  const shared = climbWithinShare(question, surroundings.value.shares);
  const { climb } = shared;
  const winner = candidates.allowed.find((candidate) => rungName(candidate) === climb.winner?.name);
  const pools = describeReplicaPools(surroundings.value, shared, replica.name);
  return {
    requirements,
    composed: new Map([
      ...composeGroups(request, { climb, pools: groups, candidates: candidates.allowed, replica, cluster }),
      ...surroundings.value.collections,
    ]),
    dropped: dropWatches(request, surroundings.value),
    planned: pools.rows,
    status: {
      ...describe(spec, candidates, climb, winner),
      ...describeWanted(shared, surroundings.value.shares),
      ...whereOf(climb, surroundings.value),
      ...pools.status,
    },
    conditions: [
      ...fits(candidates, winner),
      placed({ spec, candidates, shared, surroundings: surroundings.value, liveRung: question.liveRung }),
    ],
    handOffs: handOverShape({
      winner,
      preferred: candidates.allowed[0],
      climb,
      surroundings: surroundings.value,
      model: spec.template.model,
    }),
    ...(climb.wakeInSeconds === undefined ? {} : { wakeInSeconds: climb.wakeInSeconds }),
  };
}

function composeGroups({ observed, now }: ComposeRequest, question: Omit<PoolsQuestion, 'templates' | 'now'>) {
  return composePools({ ...question, templates: observedWith(observed, templatePrefix), now });
}

function holdLadder(requirements: Requirements, held: SurroundingsHeld): Freeze {
  const { type, reason, message, collections = new Map() } = held;
  return freezeWatching(requirements, [{ type, status: 'Unknown', reason, message }], collections);
}

/** What looked at nodes of a Remote cluster that are neither granted nor used any more. */
function dropWatches({ stored }: ComposeRequest, { collections }: ReplicaSurroundings): ReadonlyMap<string, string> {
  const former = [...stored.keys()].filter((key) => key.startsWith('observe-pool-node-') && !collections.has(key));
  return new Map(former.map((key) => [key, 'the node is neither granted nor used any more']));
}

interface PlacedParts {
  readonly spec: ModelReplicaSpec;
  readonly candidates: Candidates;
  readonly shared: SharedClimb;
  readonly surroundings: ReplicaSurroundings;
  readonly liveRung: string | undefined;
}

/** Whether it is placed: what the ledger has to grant is said before what a provider has to deliver. */
function placed({ spec, candidates, shared, surroundings, liveRung }: PlacedParts): Condition {
  const { cluster, shares } = surroundings;
  return (
    grantCondition(shared, shares) ??
    poolCondition(shared.climb, cluster.name, liveRung) ??
    placedCondition(spec.template.model.name, shared.climb, candidates.refusals)
  );
}

interface LadderParts {
  readonly request: ComposeRequest;
  readonly spec: ModelReplicaSpec;
  readonly candidates: Candidates;
  readonly groups: ReadonlyMap<string, KubernetesObject>;
  readonly surroundings: ReplicaSurroundings;
}

function askLadder({ request, spec, candidates, groups, surroundings }: LadderParts): LadderQuestion {
  const { nodes, cluster } = surroundings;
  const pools = surroundings.pools === undefined ? {} : { pools: { ...surroundings.pools, spec: cluster.pools } };
  const replica = identityOf(request.xr, spec);
  return {
    rungs: observeRungs({
      candidates: candidates.allowed,
      endings: candidates.endings,
      groups,
      nodes,
      replica,
      now: request.now,
      ...pools,
    }),
    policy: policyOf(spec, surroundings),
    now: request.now,
    ...readLive(request, { spec, pods: surroundings.pods }),
  };
}

function candidatesOf(
  spec: ModelReplicaSpec,
  { cluster, classes, shares, lacksTemplates }: ReplicaSurroundings,
  now: Date,
): Candidates {
  const { model, load, engine } = spec.template;
  const { facts } = findFacts(model.name, model.facts);
  const budget = spec.usdPerHour === undefined ? {} : { usdPerHour: spec.usdPerHour };
  const { mostNodes, prefer, markets, zones } = spec.placement;
  const guarded = guardedParts(spec.template);
  const allowed = { classes, budget, shares, mostNodes, prefer, markets, zones, now, lacksTemplates };
  return listCandidates({ facts, load, engine, ...guarded, cluster, ...allowed });
}

function policyOf(spec: ModelReplicaSpec, { nodeGroupsLeft }: ReplicaSurroundings) {
  const { patienceMinutes, hedge } = spec.placement;
  const budget = spec.usdPerHour === undefined ? {} : { usdPerHour: spec.usdPerHour };
  return { patienceMinutes, hedge, nodeGroupsLeft, ...budget };
}

function describe(
  spec: ModelReplicaSpec,
  candidates: Candidates,
  climb: Climb,
  winner: Candidate | undefined,
): Record<string, unknown> {
  const best = winner ?? candidates.allowed[0];
  const asked = climb.decisions.filter((decision) => decision.wanted === 'Asked' || countsAsAsked(decision.rung));
  const rungs = asked.map((decision) => decision.rung);
  const refused = describeCandidates(spec.clusterName, { ...candidates, allowed: [] }, most.refusals);
  return {
    ...(best === undefined ? {} : { fit: describeFit(best.verdict) }),
    usdPerHour: spendingOf(climb),
    ...(refused.length === 0 ? {} : { candidates: refused }),
    ladder: climb.decisions.slice(0, most.rungs).map(describeRung),
    ...(winner === undefined ? {} : { shape: describePlace(winner) }),
    ...describeWait(spec, candidates, climb, rungs.length),
  };
}

/** Where the nodes of the winner are. */
function whereOf({ winner }: Climb, { nodes }: ReplicaSurroundings) {
  return winner === undefined ? {} : describeWhere(winner, nodes);
}

function describeWait(
  spec: ModelReplicaSpec,
  candidates: Candidates,
  climb: Climb,
  askedRungs: number,
): { next?: string } {
  const { next } = climb;
  if (next === undefined) return {};
  const candidate = candidates.allowed.find((allowed) => rungName(allowed) === next.rung.name);
  const instanceTypes = (candidate?.nodeTypes ?? []).map((type) => type.instanceType);
  return { next: describeNext({ next, instanceTypes, askedRungs, budget: spec.usdPerHour }) };
}

/** The verdict on the shape that has nodes, else on the preferred candidate; none where every candidate was refused. */
function fits(candidates: Candidates, winner: Candidate | undefined): readonly Condition[] {
  const best = winner ?? candidates.allowed[0];
  if (best !== undefined) {
    return [fitsCondition(best.verdict, describePlace(best))];
  }
  const [refusal] = candidates.refusals.filter(
    (candidate) => candidate.reason === 'Misfit' || candidate.reason === 'Unsupported',
  );
  if (refusal === undefined) return [];
  const status = refusal.reason === 'Misfit' ? 'False' : 'Unknown';
  return [{ type: 'Fits', status, reason: refusal.reason, message: refusal.message }];
}
