import type { Condition } from '../kubernetes/condition.ts';
import { isRecord, type KubernetesObject, readList } from '../kubernetes/object.ts';
import { isConditionTrue } from './read-replica.ts';

export interface DeploymentFacts {
  readonly counts: {
    readonly wanted: number;
    readonly total: number;
    readonly ready: number;
    readonly updated: number;
  };
  /** The ModelReplicas as observed. */
  readonly observed: readonly KubernetesObject[];
  /** The ModelServices that route to the deployment. */
  readonly services: readonly KubernetesObject[];
  /** False where placement refused the claim; its own condition then says why. */
  readonly mayChange: boolean;
}

/** The conditions of a deployment, each from the objects that prove it. */
export function deploymentConditions(facts: DeploymentFacts): readonly Condition[] {
  return [...(facts.mayChange ? [placed(facts)] : []), rolledOut(facts), engineReady(facts), routable(facts)];
}

function placed({ counts, observed }: DeploymentFacts): Condition {
  const placedCount = observed.filter((replica) => isConditionTrue(replica, 'Placed')).length;
  const message = `${placedCount} of ${counts.wanted} replicas have their nodes`;
  if (placedCount >= counts.wanted) return { type: 'Placed', status: 'True', reason: 'ReplicasPlaced', message };
  return { type: 'Placed', status: 'False', reason: 'WaitingForReplicas', message };
}

function rolledOut({ counts, observed }: DeploymentFacts): Condition {
  const live = observed.filter((replica) => isConditionTrue(replica, 'RolledOut')).length;
  const message = `${counts.updated} of ${counts.wanted} replicas have the template of the claim, ${live} run it`;
  const done = counts.updated >= counts.wanted && live >= counts.wanted && counts.total === counts.wanted;
  if (done) return { type: 'RolledOut', status: 'True', reason: 'RevisionLive', message };
  return { type: 'RolledOut', status: 'False', reason: 'RollingOut', message };
}

function engineReady({ counts }: DeploymentFacts): Condition {
  const message = `${counts.ready} of ${counts.wanted} engines answer`;
  if (counts.ready >= counts.wanted) return { type: 'EngineReady', status: 'True', reason: 'EngineAnswers', message };
  return { type: 'EngineReady', status: 'False', reason: 'WaitingForReplicas', message };
}

function routable({ services }: DeploymentFacts): Condition {
  const status = isRoutable(services);
  const names = services.map((service) => service.metadata.name ?? '').sort();
  if (names.length === 0) {
    const message = 'No ModelService of the namespace routes to this deployment: create one';
    return { type: 'Routable', status, reason: 'NoService', message };
  }
  const list = names.slice(0, 5).join(', ');
  if (status === 'True')
    return { type: 'Routable', status, reason: 'Routed', message: `Requests are answered by ${list}` };
  if (status === 'Unknown')
    return { type: 'Routable', status, reason: 'NotObserved', message: `Nothing is known yet of ${list}` };
  return {
    type: 'Routable',
    status,
    reason: 'NoEndpoint',
    message: `Requests to ${list} are not answered; see its conditions`,
  };
}

/** Whether any service would answer a request; Unknown without a service, or before one says. */
export function isRoutable(services: readonly KubernetesObject[]): 'True' | 'False' | 'Unknown' {
  const found = services.flatMap((service) =>
    readList(service, ['status', 'conditions'])
      .filter(isRecord)
      .filter((condition) => condition.type === 'Routable')
      .map((condition) => condition.status),
  );
  if (found.includes('True')) return 'True';
  return found.includes('False') ? 'False' : 'Unknown';
}
