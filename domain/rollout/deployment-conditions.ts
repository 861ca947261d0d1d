import type { Condition, ConditionType, Reason } from '../kubernetes/condition.ts';
import { annotation } from '../kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList } from '../kubernetes/object.ts';
import { conditionStatus, hasFailed } from './read-replica.ts';

export interface DeploymentFacts {
  readonly counts: {
    readonly wanted: number;
    readonly total: number;
    readonly updated: number;
  };
  /** The ModelReplicas as observed. */
  readonly observed: readonly KubernetesObject[];
  /** The ModelServices that route to the deployment. */
  readonly services: readonly KubernetesObject[];
  /** Hash of the author's fields of the claim. */
  readonly authorHash: string;
  /** False where placement refused the claim; its own condition then says why. */
  readonly mayChange: boolean;
}

/** The conditions of a deployment, each from the objects that prove it. */
export function deploymentConditions(facts: DeploymentFacts): readonly Condition[] {
  return [...(facts.mayChange ? [placed(facts)] : []), rolledOut(facts), engineReady(facts), routable(facts)];
}

function placed(facts: DeploymentFacts): Condition {
  const { status, proven, unknown } = countProven(facts, 'Placed');
  const message = `${proven} of ${facts.counts.wanted} replicas have their nodes${unknown}`;
  return { type: 'Placed', ...saying[status]('ReplicasPlaced', 'WaitingForReplicas'), message };
}

function rolledOut(facts: DeploymentFacts): Condition {
  const { counts, observed, authorHash } = facts;
  const failed = observed.find(
    (replica) => replica.metadata.annotations?.[annotation.authorHash] === authorHash && hasFailed(replica),
  );
  if (failed !== undefined) {
    const message = `The template of the claim failed on ModelReplica "${failed.metadata.name}" and is given to no other: see its condition RolledOut, then change the claim`;
    return { type: 'RolledOut', status: 'False', reason: 'RevisionFailed', message };
  }
  const { status, proven, unknown } = countProven(facts, 'RolledOut');
  const message = `${counts.updated} of ${counts.wanted} replicas have the template of the claim, ${proven} run it${unknown}`;
  const isWritten = counts.updated >= counts.wanted && counts.total === counts.wanted;
  return { type: 'RolledOut', ...saying[isWritten ? status : 'False']('RevisionLive', 'RollingOut'), message };
}

function engineReady(facts: DeploymentFacts): Condition {
  const { status, proven, unknown } = countProven(facts, 'EngineReady');
  const message = `${proven} of ${facts.counts.wanted} engines answer${unknown}`;
  return { type: 'EngineReady', ...saying[status]('EngineAnswers', 'WaitingForReplicas'), message };
}

/** How many replicas prove a condition; Unknown while those that say nothing could make up what is wanted (S5). */
function countProven(
  { counts, observed }: DeploymentFacts,
  type: ConditionType,
): { readonly status: Condition['status']; readonly proven: number; readonly unknown: string } {
  const statuses = observed.map((replica) => conditionStatus(replica, type));
  const proven = statuses.filter((status) => status === 'True').length;
  const silent = statuses.filter((status) => status === 'Unknown').length;
  const unknown = silent === 0 ? '' : `, ${silent} unknown`;
  if (proven >= counts.wanted) return { status: 'True', proven, unknown };
  return { status: proven + silent >= counts.wanted ? 'Unknown' : 'False', proven, unknown };
}

type Saying = (proven: Reason, refuted: Reason) => Pick<Condition, 'status' | 'reason'>;

/** Status and reason by what is proven. */
const saying: Readonly<Record<Condition['status'], Saying>> = {
  True: (proven) => ({ status: 'True', reason: proven }),
  False: (_proven, refuted) => ({ status: 'False', reason: refuted }),
  Unknown: () => ({ status: 'Unknown', reason: 'NotObserved' }),
};

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
