/**
 * Every way to hold one replica, and every reason against each way. Order is the author's order of classes; within a
 * class that of markets; then the cheaper shape first. Nothing stops at the first refusal, so that the status can say what to change.
 */
import { checkFit, type FitEngine } from '../fit/check-fit.ts';
import type { Load } from '../fit/load.ts';
import { findBreaches, type GuardedImage } from '../hardware/guardrails.ts';
import type { Cluster, HardwareClass } from '../hardware/hardware-class.ts';
import type { NodeType } from '../hardware/node-type.ts';
import type { MarketName } from '../hardware/reservation.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import { listShapes } from '../shape/list-shapes.ts';
import { acceleratorCount, type Shape } from '../shape/shape.ts';
import { type Candidate, dearestPrice, rungName } from './candidate.ts';
import type { NamespaceShares } from './namespace-share.ts';
import { listSources, type NodeSource } from './node-sources.ts';
import { type Budget, type Guard, type Refusal, refuseCandidate } from './refuse-candidate.ts';
import { refuseClass } from './refuse-class.ts';

export interface PlacementQuestion {
  readonly facts: ModelFacts;
  readonly load: Load;
  /** The engine of the claim; unset: the newest known. */
  readonly engine?: FitEngine;
  /** Directory of the node that has the weights; unset where they come from elsewhere. */
  readonly hostPath?: string | undefined;
  /** Images of the containers beside the engine. */
  readonly images?: readonly GuardedImage[];
  readonly cluster: Cluster;
  /** Allowed classes in the order in which they are preferred. */
  readonly classes: readonly HardwareClass[];
  readonly budget: Budget;
  /** What the caps of the namespace leave; unset: no cap. */
  readonly shares?: NamespaceShares | undefined;
  /** How capacity may be bought, in order of preference; unset: on demand. */
  readonly markets?: readonly MarketName[] | undefined;
  /** Whether the nodes of a gang may lie in several zones; unset: Any. */
  readonly zones?: 'Any' | 'Same' | undefined;
  /** The moment of the question; unset: whether a reservation nears its end is not judged. */
  readonly now?: Date | undefined;
  /** The control plane does not know launch templates; unset: not judged. */
  readonly lacksTemplates?: boolean | undefined;
  /** Most nodes that one replica may spread over. */
  readonly mostNodes: number;
  /** Which shape of a class is asked first. */
  readonly prefer: 'Price' | 'FewestNodes';
}

export interface Candidates {
  /** Candidates that may be asked for, in order. */
  readonly allowed: readonly Candidate[];
  readonly refusals: readonly Refusal[];
  /** Names of the rungs whose reservation nears its end. */
  readonly endings: readonly string[];
}

/** Lists what may be asked for, in order, and why the rest may not. */
export function listCandidates(question: PlacementQuestion): Candidates {
  const allowed: Candidate[] = [];
  const refusals: Refusal[] = [];
  const endings: string[] = [];
  const ofCluster = breachesOfCluster(question);
  for (const hardwareClass of question.classes) {
    const breaches = [...ofCluster, ...breachesOfClass(question, hardwareClass)];
    const guard: Guard = {
      breaches,
      shares: question.shares,
      zones: question.zones,
      now: question.now,
      lacksTemplates: question.lacksTemplates,
      engine: question.engine,
    };
    for (const candidate of candidatesOfClass(question, hardwareClass)) {
      const against = refuseCandidate(candidate, question.budget, guard);
      if (against.length === 0) allowed.push(candidate);
      else refusals.push(...against);
      if (against.some(({ reason }) => reason === 'ReservationEnds')) endings.push(rungName(candidate));
    }
    refusals.push(...refuseClass(question, hardwareClass));
  }
  return { allowed, refusals, endings };
}

function breachesOfCluster({ engine, hostPath, images, cluster }: PlacementQuestion): readonly string[] {
  if (engine === undefined) return [];
  const { hostPaths = [], ...others } = cluster.guardrails;
  return findBreaches({ ...engine, hostPath, images }, { ...others, hostPaths }, `InferenceCluster "${cluster.name}"`);
}

function breachesOfClass(
  { engine, hostPath, images }: PlacementQuestion,
  { name, guardrails }: HardwareClass,
): readonly string[] {
  if (engine === undefined || guardrails === undefined) return [];
  return findBreaches({ ...engine, hostPath, images }, guardrails, `InferenceClass "${name}"`);
}

function candidatesOfClass(question: PlacementQuestion, hardwareClass: HardwareClass): readonly Candidate[] {
  return listSources(question.cluster, hardwareClass, question.markets)
    .flatMap((source) => candidatesOfSource(question, hardwareClass, source))
    .sort((left, right) => compareCandidates(left, right, question));
}

function candidatesOfSource(
  question: PlacementQuestion,
  hardwareClass: HardwareClass,
  source: NodeSource,
): readonly Candidate[] {
  const counts = source.nodeTypes.map((type) => type.accelerators);
  const candidates = listShapes(question.facts, counts, question.mostNodes)
    .filter((shape) => isWholeGang(shape, source))
    .map((shape) => toCandidate({ question, hardwareClass, source, shape }));
  return candidates
    .filter((candidate) => !isDominated(candidate, candidates))
    .flatMap((candidate) => zonesFor(candidate, question).map((zone) => ({ ...candidate, ...zone })));
}

/** A gang that needs one zone has a rung for each; every other rung asks in all of them, since each refuses alone (L10). */
function zonesFor(
  { shape, market }: Candidate,
  { zones, cluster }: PlacementQuestion,
): readonly { readonly zone?: string }[] {
  if (zones !== 'Same' || shape.nodes === 1 || market === 'Existing' || market === 'Reservation') return [{}];
  return [...new Set((cluster.eks?.subnets ?? []).map(({ zone }) => zone))].map((zone) => ({ zone }));
}

/** A gang on a pool takes whole nodes: two parts could meet on one node, which is not what was granted. */
function isWholeGang({ nodes, acceleratorsPerNode }: Shape, { pool }: NodeSource): boolean {
  return nodes === 1 || pool === undefined || acceleratorsPerNode === pool.node.accelerators;
}

/**
 * A shape of which a smaller one would do: more nodes of a kind would only ask the same capacity pool for more, and of
 * an existing pool more accelerators are no more likely to be free.
 */
function isDominated({ shape, pool }: Candidate, candidates: readonly Candidate[]): boolean {
  return candidates.some(({ shape: other, verdict }) => {
    if (verdict.verdict !== 'Fit' || acceleratorCount(other) >= acceleratorCount(shape)) return false;
    if (pool === undefined) return other.acceleratorsPerNode === shape.acceleratorsPerNode;
    return other.nodes <= shape.nodes;
  });
}

function compareCandidates(left: Candidate, right: Candidate, { prefer, markets }: PlacementQuestion): number {
  const byMarket = rankOf(left, markets) - rankOf(right, markets);
  if (byMarket !== 0) return byMarket;
  const byNodes = left.shape.nodes - right.shape.nodes;
  if (prefer === 'FewestNodes' && byNodes !== 0) return byNodes;
  const [leftPrice, rightPrice] = [left.usdPerHour ?? Infinity, right.usdPerHour ?? Infinity];
  return leftPrice === rightPrice ? byNodes : leftPrice - rightPrice;
}

/** The place of a market in the author's order; a pool exists whatever is bought, so only its price ranks it. */
function rankOf({ market }: Candidate, markets: readonly MarketName[] = ['OnDemand']): number {
  return market === 'Existing' ? 0 : markets.indexOf(market);
}

interface ShapeOfSource {
  readonly question: PlacementQuestion;
  readonly hardwareClass: HardwareClass;
  readonly source: NodeSource;
  readonly shape: Shape;
}

function toCandidate({ question, hardwareClass, source, shape }: ShapeOfSource): Candidate {
  const { facts, load, engine, cluster, budget } = question;
  const nodeTypes = affordableTypes(source.nodeTypes, shape, budget);
  const usdPerHour = dearestPrice(shape, nodeTypes);
  const nodeMemory = Math.min(...nodeTypes.map((type) => type.allocatableMemory));
  const { accelerator } = hardwareClass;
  const verdict = checkFit({
    facts,
    accelerator,
    shape,
    load,
    nodeMemory,
    ...(engine === undefined ? {} : { engine }),
  });
  return {
    cluster,
    hardwareClass,
    shape,
    market: source.market,
    ...(source.pool === undefined ? {} : { pool: source.pool }),
    ...(source.reservation === undefined ? {} : { reservation: source.reservation, zone: source.reservation.zone }),
    nodeTypes,
    verdict,
    ...(usdPerHour === undefined ? {} : { usdPerHour }),
  };
}

/** The types of the shape's size without those that would break the budget; all of them where every one would. */
function affordableTypes(nodeTypes: readonly NodeType[], shape: Shape, budget: Budget): readonly NodeType[] {
  const ofSize = nodeTypes.filter((type) => type.accelerators === shape.acceleratorsPerNode);
  const share = budget.usdPerHour;
  if (share === undefined) return ofSize;
  const affordable = ofSize.filter((type) => type.usdPerHour !== undefined && shape.nodes * type.usdPerHour <= share);
  return affordable.length > 0 ? affordable : ofSize;
}
