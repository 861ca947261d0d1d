import { ModelDeploymentSpec } from '../../apis/modeldeployments/schema.ts';
import type { Cluster, HardwareClass } from '../../domain/hardware/hardware-class.ts';
import { apiVersion, label } from '../../domain/kubernetes/label.ts';
import { type KubernetesObject, readPath } from '../../domain/kubernetes/object.ts';
import { boundedName } from '../../domain/kubernetes/resource-name.ts';
import { type FoundFacts, findFacts } from '../../domain/model/find-facts.ts';
import type { Candidate } from '../../domain/placement/candidate.ts';
import { type Candidates, listCandidates } from '../../domain/placement/list-candidates.ts';
import { replicaShare } from '../../domain/placement/replica-share.ts';
import { guardedParts } from '../../domain/workload/guarded-parts.ts';
import { readSpec } from '../../functions/freeze.ts';
import { readClass, readCluster } from '../../functions/placement/read-hardware.ts';

/** The candidates of one cluster that a claim may go to. */
export interface ClusterCandidates {
  readonly cluster: Cluster;
  readonly candidates: Candidates;
}

/** A ModelDeployment with everything that its verdict was made from, judged anew over every cluster without a bound. */
export interface DeploymentReading {
  readonly xr: KubernetesObject;
  readonly spec: ModelDeploymentSpec;
  readonly found: FoundFacts;
  /** Bound of one replica in dollars per hour; undefined without a budget. */
  readonly share: number | undefined;
  /** Named classes that exist and can be read, in the order of the claim. */
  readonly classes: readonly HardwareClass[];
  /** Names of classes that exist and that the claim does not list, sorted. */
  readonly unlisted: readonly string[];
  readonly clusters: readonly ClusterCandidates[];
  /** What could be asked for on the first cluster without a budget, cheapest first; an unknown price comes last. */
  readonly unbounded: readonly Candidate[];
  /** Nothing is decided while an object that the claim names is missing. */
  readonly held: boolean;
  readonly replicas: readonly KubernetesObject[];
}

/** Reads a ModelDeployment among everything that was reconciled; undefined when its spec cannot be read. */
export function readDeployment(
  xr: KubernetesObject,
  xrs: readonly KubernetesObject[],
  now?: Date,
): DeploymentReading | undefined {
  const read = readSpec(xr, ModelDeploymentSpec);
  if (read.state === 'Invalid') return undefined;
  const { spec } = read;
  const found = findFacts(spec.model.name, spec.model.facts);
  const share = replicaShare(spec);
  const known = listClasses(xrs);
  const classes = spec.placement.classes.flatMap((name) =>
    known.filter((hardwareClass) => hardwareClass.name === name),
  );
  const { clusterName } = spec.placement;
  const question = { ...questionOf(spec, share), facts: found.facts, classes, now };
  const clusters = listClusters(xrs)
    .filter(({ name }) => clusterName === undefined || name === clusterName)
    .map((cluster) => ({ cluster, candidates: listCandidates({ ...question, cluster }) }));
  const unlisted = known.map(({ name }) => name).filter((name) => !spec.placement.classes.includes(name));
  const [first] = clusters;
  const unbounded =
    first === undefined ? [] : listCandidates({ ...question, cluster: first.cluster, budget: {} }).allowed;
  return {
    xr,
    spec,
    found,
    share,
    classes,
    unlisted,
    clusters,
    unbounded: [...unbounded].sort((left, right) => (left.usdPerHour ?? Infinity) - (right.usdPerHour ?? Infinity)),
    held: readPath(xr, ['status', 'candidates']) === undefined,
    replicas: replicasOf(xr, xrs),
  };
}

/** What a claim asks of every cluster. */
function questionOf(spec: ModelDeploymentSpec, share: number | undefined) {
  const budget = share === undefined ? {} : { usdPerHour: share };
  const { load, engine } = spec;
  const { mostNodes, prefer, markets, zones } = spec.placement;
  return { load, engine, ...guardedParts(spec), budget, mostNodes, prefer, markets, zones };
}

function listClasses(xrs: readonly KubernetesObject[]): readonly HardwareClass[] {
  return ours(xrs, 'InferenceClass').flatMap((object) => {
    const read = readClass(object);
    return read.state === 'Present' ? [read.value] : [];
  });
}

function listClusters(xrs: readonly KubernetesObject[]): readonly Cluster[] {
  return ours(xrs, 'InferenceCluster').flatMap((object) => {
    const read = readCluster(object);
    return read.state === 'Present' ? [read.value] : [];
  });
}

/** The XRs of one of our kinds, sorted by name. */
function ours(xrs: readonly KubernetesObject[], kind: string): readonly KubernetesObject[] {
  const found = xrs.filter((xr) => xr.kind === kind && xr.apiVersion === apiVersion);
  return found.sort((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1));
}

/** The replicas of a deployment. */
export function replicasOf(
  deployment: KubernetesObject,
  xrs: readonly KubernetesObject[],
): readonly KubernetesObject[] {
  const { name = '', namespace } = deployment.metadata;
  return xrs.filter(
    (xr) =>
      xr.kind === 'ModelReplica' &&
      xr.metadata.namespace === namespace &&
      xr.metadata.labels?.[label.deployment] === boundedName(name),
  );
}
