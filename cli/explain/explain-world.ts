import { modelName } from '../../domain/gateway/model-service-spec.ts';
import { type KubernetesObject, readString } from '../../domain/kubernetes/object.ts';
import type { WorldResult } from '../crossplane/reconcile-world.ts';
import type { RenderOutput } from '../crossplane/render-output.ts';
import { problemsOf } from '../render/describe-xr.ts';
import { type ExplainedCandidates, explainCandidates } from './explain-candidates.ts';
import { type ExplainedLadder, explainLadder } from './explain-ladder.ts';
import { type ExplainedLoad, explainLoad } from './explain-load.ts';
import { type ExplainedMemory, explainMemory } from './explain-memory.ts';
import { type ExplainedPrice, explainPrice } from './explain-price.ts';
import { deploymentsOf, type ExplainedStream, explainStream, gatewayOf } from './explain-stream.ts';
import { type ListedFlags, listFlags } from './list-flags.ts';
import { listServiceUnknowns, listUnknowns, unknownConditions } from './list-unknowns.ts';
import { readDeployment, replicasOf } from './read-deployment.ts';
import { findUnknownNames, type UnknownName } from './suggest-names.ts';

/** A condition that refuses an object, or that cannot be judged for want of one that it names. */
export interface Problem {
  /** Kind and name. */
  readonly object: string;
  /** Type, status, reason and message. */
  readonly condition: string;
}

/** Everything that is to be said of one ModelDeployment. */
export interface ExplainedDeployment {
  readonly namespace: string;
  readonly name: string;
  readonly model: string;
  readonly engineImage: string;
  /** What refuses it, or what it names and is missing. */
  readonly problems: readonly Problem[];
  /** Unset while the spec cannot be read. */
  readonly candidates?: ExplainedCandidates;
  readonly memory?: ExplainedMemory;
  readonly price?: ExplainedPrice;
  readonly load?: ExplainedLoad;
  readonly ladders: readonly ExplainedLadder[];
  readonly engine?: ListedFlags;
  readonly unknown: readonly string[];
}

/** Everything that is to be said of one ModelService. */
export interface ExplainedService {
  readonly namespace: string;
  readonly name: string;
  /** What callers send as the model. */
  readonly model: string;
  readonly gateway: string;
  readonly deployments: readonly string[];
  readonly problems: readonly Problem[];
  readonly stream: ExplainedStream;
  readonly unknown: readonly string[];
}

/** Everything that is to be said of a set of claims, as one document. */
export interface Explanation {
  /** The time that it was explained for (RFC 3339). */
  readonly now: string;
  /** False when the last round of reconciling still changed something. */
  readonly settled: boolean;
  /** A claim is refused, or a name in it is of nothing that exists. */
  readonly refused: boolean;
  readonly unknownNames: readonly UnknownName[];
  /** What refuses the platform's own objects. */
  readonly problems: readonly Problem[];
  readonly deployments: readonly ExplainedDeployment[];
  readonly services: readonly ExplainedService[];
}

/** Explains every deployment and service of a world that was reconciled. */
export function explainWorld(result: WorldResult, now: Date): Explanation {
  const xrs = result.outputs.map((output) => output.composite);
  const unknownNames = findUnknownNames(xrs);
  const platform = xrs.filter((xr) => /^Inference/.test(xr.kind));
  const refused = unknownNames.length > 0 || xrs.some((xr) => problemsOf(xr).length > 0);
  return {
    now: now.toISOString(),
    settled: result.settled,
    refused,
    unknownNames,
    problems: platform.flatMap(listProblems),
    deployments: xrs.filter(({ kind }) => kind === 'ModelDeployment').map((xr) => explainDeployment(xr, xrs, now)),
    services: xrs.filter(({ kind }) => kind === 'ModelService').map((xr) => explainService(xr, result.outputs)),
  };
}

function listProblems(xr: KubernetesObject): readonly Problem[] {
  return problemsOf(xr).map((condition) => ({ object: `${xr.kind} "${xr.metadata.name ?? ''}"`, condition }));
}

function explainDeployment(xr: KubernetesObject, xrs: readonly KubernetesObject[], now: Date): ExplainedDeployment {
  const reading = readDeployment(xr, xrs, now);
  const replicas = replicasOf(xr, xrs);
  const head = {
    namespace: xr.metadata.namespace ?? '',
    name: xr.metadata.name ?? '',
    model: readString(xr, ['spec', 'model', 'name']) ?? '',
    engineImage: readString(xr, ['spec', 'engine', 'image']) ?? '',
    problems: [xr, ...replicas].flatMap(listProblems),
    ladders: replicas.map((replica) => explainLadder(replica, now)),
  };
  if (reading === undefined) return { ...head, unknown: unknownConditions([xr, ...replicas]) };
  const memory = explainMemory(reading);
  return {
    ...head,
    candidates: explainCandidates(reading),
    ...(memory === undefined ? {} : { memory }),
    price: explainPrice(reading),
    load: explainLoad(reading),
    engine: listFlags(reading),
    unknown: listUnknowns(reading),
  };
}

function explainService(xr: KubernetesObject, outputs: readonly RenderOutput[]): ExplainedService {
  const { namespace = '', name = '' } = xr.metadata;
  const xrs = outputs.map((output) => output.composite);
  const composedBy = (owners: readonly KubernetesObject[]) =>
    outputs.filter(({ composite }) => owners.includes(composite)).flatMap(({ composed }) => composed);
  const gatewayXr = gatewayOf(xr, xrs);
  const deployments = deploymentsOf(xr);
  const targets = xrs.filter(
    (other) => other.kind === 'ModelDeployment' && deployments.includes(other.metadata.name ?? ''),
  );
  const replicas = targets
    .filter(({ metadata }) => metadata.namespace === namespace)
    .flatMap((target) => replicasOf(target, xrs));
  const stream = explainStream({
    service: composedBy([xr]),
    gateway: gatewayXr === undefined ? [] : composedBy([gatewayXr]),
    gatewayXr,
    replicas: composedBy(replicas),
  });
  return {
    namespace,
    name,
    model: modelName(namespace, name),
    gateway: readString(xr, ['spec', 'gatewayName']) ?? '',
    deployments,
    problems: listProblems(xr),
    stream,
    unknown: listServiceUnknowns(xr, gatewayXr, stream),
  };
}
