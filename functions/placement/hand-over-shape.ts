import type { NodeType } from '../../domain/hardware/node-type.ts';
import { findFacts } from '../../domain/model/find-facts.ts';
import type { Model } from '../../domain/model/model.ts';
import { type Candidate, rungName } from '../../domain/placement/candidate.ts';
import type { Climb } from '../../domain/placement/climb-ladder.ts';
import { type RungView, usableNodes } from '../../domain/placement/rung.ts';
import type { HandOffWrite } from '../compose.ts';
import { type PlacedShape, type Placement, placementEntry } from '../hand-offs.ts';
import type { ReplicaSurroundings } from './read-replica.ts';

export interface WonShape {
  /** The candidate of the winning rung; undefined when no rung has its nodes, or the rung is no candidate any more. */
  readonly winner: Candidate | undefined;
  /** The candidate that is asked first. */
  readonly preferred: Candidate | undefined;
  readonly climb: Climb;
  readonly surroundings: ReplicaSurroundings;
  readonly model: Model;
}

/** Tells engine-config the shape that has nodes; none while no rung has them, so that nothing is rendered for hope. */
export function handOverShape(won: WonShape): readonly HandOffWrite[] {
  const shape = placedShape(won);
  const { hasPodMonitor, cluster, access } = won.surroundings;
  const preferred = won.preferred === undefined ? {} : { preferredNodes: won.preferred.shape.nodes };
  const value: Placement = {
    access,
    hasPodMonitor,
    namespaces: cluster.namespaces,
    ...preferred,
    ...(shape === undefined ? {} : { shape }),
  };
  return [{ entry: placementEntry, value }];
}

function placedShape({ winner, climb, surroundings, model }: WonShape): PlacedShape | undefined {
  if (winner === undefined || climb.winner === undefined || winner.verdict.verdict !== 'Fit') return undefined;
  if (usableNodes(climb.winner) < climb.winner.nodes) return undefined;
  const { hardwareClass, shape, verdict } = winner;
  const nodeTypes = launchedTypes(winner, climb.winner);
  return {
    rung: rungName(winner),
    className: hardwareClass.name,
    acceleratorName: hardwareClass.accelerator.name,
    vendor: hardwareClass.accelerator.vendor,
    productName: hardwareClass.accelerator.productName,
    shape,
    ...nodesOf(winner, climb.winner),
    allocation: surroundings.cluster.allocation,
    smallestNode: {
      cpu: Math.min(...nodeTypes.map((type) => type.allocatableCpu)),
      memory: Math.min(...nodeTypes.map((type) => type.allocatableMemory)),
    },
    weightBytes: findFacts(model.name, model.facts).facts.weightBytes ?? 0,
    sizing: verdict.computed,
  };
}

/** The node groups that hold the nodes, or the granted nodes of an existing pool. */
function nodesOf({ pool }: Candidate, { groups }: RungView): Pick<PlacedShape, 'nodeGroups' | 'pool'> {
  const names = groups.map((group) => group.name).sort();
  if (pool === undefined) return { nodeGroups: names };
  const { nodeSelector, taints } = pool;
  return { pool: { nodeSelector, taints: [...taints], nodes: names } };
}

/** The node types that the groups of the rung launch: a class that was edited since changes no node that runs (S2). */
function launchedTypes({ hardwareClass, nodeTypes }: Candidate, { groups }: RungView): readonly NodeType[] {
  const launched = new Set(groups.flatMap((group) => group.instanceTypes ?? []));
  const known = hardwareClass.nodeTypes.filter(({ instanceType }) => launched.has(instanceType));
  return known.length === 0 ? nodeTypes : known;
}
