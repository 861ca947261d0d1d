/**
 * Why this shape and why not the others. The verdicts are those of placement, computed again over every cluster and
 * without the bound that a status has; what the replicas do with them is read from their status. Refusals that say the
 * same are one group, since a claim over eight classes repeats itself.
 */
import { type KubernetesObject, readList, readString } from '../../domain/kubernetes/object.ts';
import { type Candidate, describePlace, rungName } from '../../domain/placement/candidate.ts';
import { cheapestPrice } from '../../domain/placement/describe-candidates.ts';
import type { ClusterCandidates, DeploymentReading } from './read-deployment.ts';

/** A candidate that may be asked for. */
export interface AllowedCandidate {
  readonly cluster: string;
  readonly class: string;
  readonly shape: string;
  readonly rung: string;
  readonly instanceTypes: readonly string[];
  /** Instance types that would break the share of the budget. */
  readonly leftOut: readonly string[];
  /** Price of one replica; unset while a price is unknown. */
  readonly usdPerHour?: { readonly cheapest: number; readonly dearest: number };
  /** Requests of the full context at once. */
  readonly concurrency?: number;
  readonly tight: boolean;
  /** Its place: what is asked first, next, or not at all and why. */
  readonly place: string;
}

/** Candidates that one sentence refuses. */
export interface RefusedCandidates {
  readonly reason: string;
  readonly message: string;
  /** Class, shape and cluster of each. */
  readonly where: readonly string[];
}

export interface ExplainedCandidates {
  /** Nothing is decided while an object that the claim names is missing; the rest is of what exists. */
  readonly held: boolean;
  readonly chosen?: AllowedCandidate;
  readonly why: readonly string[];
  readonly others: readonly AllowedCandidate[];
  readonly refused: readonly RefusedCandidates[];
  /** Classes that exist and that the claim does not list. */
  readonly unlisted: readonly string[];
}

/** The cluster that placement takes for new replicas: the first with a candidate, else the first. */
function preferredCluster(reading: DeploymentReading): ClusterCandidates | undefined {
  return reading.clusters.find(({ candidates }) => candidates.allowed.length > 0) ?? reading.clusters[0];
}

/** The candidate that a replica has nodes for, else the one that is asked first. */
export function chosenCandidate(reading: DeploymentReading): Candidate | undefined {
  return wonCandidate(reading) ?? preferredCluster(reading)?.candidates.allowed[0];
}

/** States of a rung whose nodes are there. */
const wonStates = ['Serving', 'Usable', 'Joined'];

function wonCandidate(reading: DeploymentReading): Candidate | undefined {
  const won = reading.replicas.map(wonRung).filter((rung) => rung !== undefined);
  const allowed = reading.clusters.flatMap(({ candidates }) => candidates.allowed);
  const isWon = (candidate: Candidate) =>
    won.some(({ rung, cluster }) => rung === rungName(candidate) && cluster === candidate.cluster.name);
  return allowed.find(isWon);
}

function wonRung(replica: KubernetesObject): { readonly rung: string; readonly cluster: string } | undefined {
  if (readString(replica, ['status', 'shape']) === undefined) return undefined;
  const ladder = readList(replica, ['status', 'ladder']);
  const won = wonStates.flatMap((state) => ladder.filter((rung) => readString(rung, ['state']) === state))[0];
  const rung = readString(won, ['rung']);
  return rung === undefined ? undefined : { rung, cluster: readString(replica, ['spec', 'clusterName']) ?? '' };
}

/** Everything that is to be said of the candidates of a deployment. */
export function explainCandidates(reading: DeploymentReading): ExplainedCandidates {
  const chosen = chosenCandidate(reading);
  const allowed = reading.clusters.flatMap(({ candidates }) => candidates.allowed);
  const others = allowed.filter((candidate) => candidate !== chosen);
  return {
    held: reading.held,
    ...(chosen === undefined ? {} : { chosen: describe(chosen, reading) }),
    why: chosen === undefined ? [] : explainChoice(chosen, reading),
    others: others.map((candidate) => describe(candidate, reading)),
    refused: groupRefusals(reading.clusters),
    unlisted: reading.unlisted,
  };
}

function describe(candidate: Candidate, reading: DeploymentReading): AllowedCandidate {
  const { cluster, hardwareClass, shape, nodeTypes, usdPerHour: dearest, verdict } = candidate;
  const cheapest = cheapestPrice(candidate);
  const onEks = candidate.pool === undefined ? hardwareClass.nodeTypes : [];
  const ofSize = onEks.filter((type) => type.accelerators === shape.acceleratorsPerNode);
  return {
    cluster: cluster.name,
    class: hardwareClass.name,
    shape: describePlace(candidate),
    rung: rungName(candidate),
    instanceTypes: nodeTypes.map((type) => type.instanceType),
    leftOut: ofSize.filter((type) => !nodeTypes.includes(type)).map((type) => type.instanceType),
    ...(cheapest === undefined || dearest === undefined ? {} : { usdPerHour: { cheapest, dearest } }),
    ...(verdict.verdict === 'Fit' ? { concurrency: Math.round(verdict.concurrency * 10) / 10 } : {}),
    tight: verdict.verdict === 'Fit' && verdict.tight,
    place: placeOf(candidate, reading),
  };
}

function placeOf(candidate: Candidate, reading: DeploymentReading): string {
  const preferred = preferredCluster(reading);
  if (preferred === undefined || candidate.cluster.name !== preferred.cluster.name)
    return `new replicas go to cluster "${preferred?.cluster.name ?? ''}", the first by name that can hold the model`;
  const { allowed } = preferred.candidates;
  return `rung ${allowed.indexOf(candidate) + 1} of ${allowed.length} of the ladder`;
}

function explainChoice(chosen: Candidate, reading: DeploymentReading): readonly string[] {
  const { hardwareClass, cluster } = chosen;
  const preferred = preferredCluster(reading)?.candidates.allowed[0];
  const subject = `${describePlace(chosen)} of class "${hardwareClass.name}"`;
  if (chosen !== preferred) return [`The nodes of ${subject} on cluster "${cluster.name}" were there first`];
  const sameClass = reading.clusters.flatMap(({ candidates }) =>
    candidates.allowed.filter(
      (other) => other.hardwareClass.name === hardwareClass.name && other.cluster.name === cluster.name,
    ),
  );
  const bound = reading.share === undefined ? 'holds the model' : 'holds the model within the budget';
  const first = `Class "${hardwareClass.name}" is the first of spec.placement.classes that ${bound}`;
  if (sameClass.length < 2) return [first];
  const rule = reading.spec.placement.prefer === 'Price' ? 'the cheapest' : 'the one with the fewest nodes';
  return [first, `${subject} is ${rule} of its ${sameClass.length} shapes (spec.placement.prefer)`];
}

function groupRefusals(clusters: readonly ClusterCandidates[]): readonly RefusedCandidates[] {
  const groups = new Map<string, { reason: string; message: string; where: string[] }>();
  for (const { place, refusal } of clusters.flatMap((one) => placeRefusals(one, clusters.length > 1))) {
    const { reason, message } = refusal;
    const group = groups.get(`${reason}|${message}`) ?? { reason, message, where: [] };
    if (!group.where.includes(place)) group.where.push(place);
    groups.set(`${reason}|${message}`, group);
  }
  return [...groups.values()];
}

/** Each refusal of a cluster with its class and shape, and the cluster where there are several. */
function placeRefusals({ cluster, candidates }: ClusterCandidates, isOneOfMany: boolean) {
  return candidates.refusals.map((refusal) => {
    const shape = refusal.shape === undefined ? '' : ` (${refusal.shape})`;
    return { refusal, place: `${refusal.class}${shape}${isOneOfMany ? ` on ${cluster.name}` : ''}` };
  });
}
