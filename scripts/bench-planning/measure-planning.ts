import { join } from 'node:path';
import { readObjects } from '../../cli/read-objects.ts';
import { readPlacement } from '../../cli/simulate/worlds/read-claim.ts';
import { annotation } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { rungName } from '../../domain/placement/candidate.ts';
import { climbLadder } from '../../domain/placement/climb-ladder.ts';
import { listCandidates, type PlacementQuestion } from '../../domain/placement/list-candidates.ts';
import { nodeGroupLabel } from '../../domain/placement/node.ts';
import { type ReplicaIdentity, renderNodeGroups } from '../../domain/placement/node-group.ts';
import { observeRungs } from '../../domain/placement/observe-rungs.ts';
import type { ReplicaAsks } from '../../domain/placement/pools/pool-ask.ts';
import { grantPools } from '../../domain/placement/pools/pool-grant.ts';
import { describePools } from '../../domain/placement/pools/pool-ledger.ts';
import type { PoolView } from '../../domain/placement/pools/pool-node.ts';

const groupsPerReplica = 5;

/** Node groups and existing pools of a fleet, each as many, and its replicas. */
export interface PlanningSize {
  readonly pools: number;
  readonly replicas: number;
}

export interface PlanningRow extends PlanningSize {
  /** Milliseconds of processor time for the ladders of all replicas. */
  readonly laddersMs: number;
  /** The same for the ledger. */
  readonly ledgerMs: number;
}

/** Five node groups for each replica, up to the size that planning must hold and twice that. */
export const planningSizes: readonly PlanningSize[] = [25, 50, 100, 200, 400].map((replicas) => ({
  pools: replicas * groupsPerReplica,
  replicas,
}));
const rounds = 7;
const now = new Date('2026-12-01T12:30:00Z');
const askedAt = '2026-12-01T12:00:00Z';
/** A deployment whose ladder has four rungs and five node groups. */
const deployment = 'llama-70b';

interface Fleet {
  readonly question: PlacementQuestion;
  readonly replicas: readonly FleetReplica[];
  readonly pools: readonly PoolView[];
  readonly asks: readonly ReplicaAsks[];
}

interface FleetReplica {
  readonly identity: ReplicaIdentity;
  readonly groups: ReadonlyMap<string, KubernetesObject>;
  readonly nodes: readonly KubernetesObject[];
}

/** The processor time that planning takes for a fleet of a size. */
export function measurePlanning(size: PlanningSize): PlanningRow {
  const fleet = buildFleet(size);
  const [laddersMs, ledgerMs] = [() => climbAll(fleet), () => grantAll(fleet)].map(shortest);
  return { ...size, laddersMs: laddersMs ?? 0, ledgerMs: ledgerMs ?? 0 };
}

/** Milliseconds of processor time in the shortest of some rounds: what other work on the machine disturbs least. */
function shortest(work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function climbAll({ question, replicas }: Fleet): void {
  for (const { identity, groups, nodes } of replicas) {
    const candidates = listCandidates(question).allowed;
    const rungs = observeRungs({ candidates, groups, nodes, replica: identity });
    const policy = { patienceMinutes: 12, hedge: 2, nodeGroupsLeft: 30, usdPerHour: 20 };
    const { winner } = climbLadder({ rungs, policy, serving: false, now });
    if (winner === undefined) throw new Error('Cannot bench planning: a replica with a usable node has no winner');
  }
}

function grantAll({ pools, asks }: Fleet): void {
  const grants = grantPools({ pools, replicas: asks, earlier: [], now: askedAt });
  const rows = describePools({ pools, grants, replicas: asks });
  if (grants.length !== asks.length || rows.length !== pools.length)
    throw new Error(`Cannot bench planning: ${grants.length} of ${asks.length} asks are granted`);
}

function buildFleet({ pools, replicas }: PlanningSize): Fleet {
  const question = readPlacement(readObjects(join(import.meta.dirname, '../../test/simulate/claims')), deployment);
  const names = Array.from({ length: replicas }, (_unused, index) => `${deployment}-${index}`);
  return {
    question,
    replicas: names.map((name) => buildReplica(question, name)),
    pools: Array.from({ length: pools }, (_unused, index) => ({
      name: `pool-${index}`,
      className: 'l40s',
      nodes: [{ name: `node-${index}`, usable: true, accelerators: 8 }],
      others: [],
    })),
    asks: names.map((replica, index) => {
      const ask = { pool: `pool-${index * groupsPerReplica}`, nodes: 1, acceleratorsPerNode: 2, holds: [], lost: [] };
      return { namespace: 'chat', replica, asks: [ask] };
    }),
  };
}

/** A replica that has asked all its rungs; the node of the first has joined. */
function buildReplica(question: PlacementQuestion, name: string): FleetReplica {
  const identity = { namespace: 'chat', name, deployment };
  const candidates = listCandidates(question).allowed;
  const objects = candidates.flatMap((candidate) => renderNodeGroups(candidate, identity));
  const groups = new Map(objects.map((object) => [`pool-${object.metadata.name}`, askFor(object)]));
  const [first] = candidates;
  if (groups.size !== groupsPerReplica || first === undefined)
    throw new Error(`Cannot bench planning: ${name} has ${groups.size} node groups, want ${groupsPerReplica}`);
  const [group] = renderNodeGroups(first, identity);
  const labels = { [nodeGroupLabel]: group?.metadata.name ?? rungName(first) };
  const status = { conditions: [{ type: 'Ready', status: 'True' }] };
  return { identity, groups, nodes: [{ apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status }] };
}

function askFor(object: KubernetesObject): KubernetesObject {
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [annotation.askedAt]: askedAt } },
    status: { atProvider: { status: 'DEGRADED', scalingConfig: { desiredSize: 1 } } },
  };
}
