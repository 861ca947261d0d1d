import { ModelDeploymentSpec } from '../../../apis/modeldeployments/schema.ts';
import { type KubernetesObject, readString } from '../../../domain/kubernetes/object.ts';
import { findFacts } from '../../../domain/model/find-facts.ts';
import { listCandidates, type PlacementQuestion } from '../../../domain/placement/list-candidates.ts';
import { replicaShare } from '../../../domain/placement/replica-share.ts';
import { guardedParts } from '../../../domain/workload/guarded-parts.ts';
import { readClass, readCluster } from '../../../functions/placement/read-hardware.ts';
import { UnreadableInput } from '../../unreadable.ts';
import type { WorldClaim } from './world.ts';

/** Reads one deployment of a set of claims with the platform that it names. Throws `UnreadableInput`. */
export function readClaim(objects: readonly KubernetesObject[], name: string): WorldClaim {
  const question = readPlacement(objects, name);
  const { allowed, refusals } = listCandidates(question);
  if (allowed.length === 0)
    throw new UnreadableInput(`Cannot simulate "${name}": no candidate is allowed; ${refusals[0]?.message ?? ''}`);
  return {
    name,
    objects,
    namespace: find(objects, 'ModelDeployment', name).metadata.namespace ?? '',
    deployment: name,
    rungs: allowed,
    zones: [...new Set((question.cluster.eks?.subnets ?? []).map(({ zone }) => zone))],
    budget: question.budget.usdPerHour,
  };
}

/** What placement is asked for a deployment, on a cluster that can run gangs. Throws `UnreadableInput`. */
export function readPlacement(objects: readonly KubernetesObject[], name: string): PlacementQuestion {
  const parsed = ModelDeploymentSpec.safeParse(find(objects, 'ModelDeployment', name).spec);
  if (!parsed.success) throw new UnreadableInput(`Cannot simulate ModelDeployment "${name}": ${parsed.error.message}`);
  const spec = parsed.data;
  const read = readCluster(findCluster(objects));
  if (read.state === 'Held') throw new UnreadableInput(`Cannot simulate "${name}": ${read.message}`);
  const classes = spec.placement.classes.map((className) => {
    const hardware = readClass(find(objects, 'InferenceClass', className));
    if (hardware.state === 'Held') throw new UnreadableInput(`Cannot simulate "${name}": ${hardware.message}`);
    return hardware.value;
  });
  const { facts } = findFacts(spec.model.name, spec.model.facts);
  const { load, engine } = spec;
  const { mostNodes, prefer, markets, zones } = spec.placement;
  const share = replicaShare(spec);
  const budget = share === undefined ? {} : { usdPerHour: share };
  const cluster = { ...read.value, hasLeaderWorkerSet: true };
  return { facts, load, engine, ...guardedParts(spec), cluster, classes, budget, mostNodes, prefer, markets, zones };
}

function find(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined)
    throw new UnreadableInput(`Cannot simulate: the claims have no ${kind} "${name}"; add it to a file under claims`);
  return found;
}

/** The one cluster of the claims. */
function findCluster(objects: readonly KubernetesObject[]): KubernetesObject {
  const clusters = objects.filter(({ kind }) => kind === 'InferenceCluster');
  const [cluster] = clusters;
  if (cluster === undefined || clusters.length > 1 || readString(cluster, ['spec', 'eks', 'name']) === undefined)
    throw new UnreadableInput(
      `Cannot simulate: the claims have ${clusters.length} InferenceClusters; want one, with spec.eks`,
    );
  return cluster;
}
