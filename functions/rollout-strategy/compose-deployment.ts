import { ModelDeploymentSpec } from '../../apis/modeldeployments/schema.ts';
import { structuralSchema } from '../../apis/structural-schema.ts';
import { withoutDefaults } from '../../apis/without-defaults.ts';
import { stableHash } from '../../domain/kubernetes/canonical-json.ts';
import { apiVersion, label } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { boundedName } from '../../domain/kubernetes/resource-name.ts';
import { deploymentConditions, isRoutable } from '../../domain/rollout/deployment-conditions.ts';
import { planReplicas, type ReplicaStep } from '../../domain/rollout/plan-replicas.ts';
import { mayRouteTo, readReplica } from '../../domain/rollout/read-replica.ts';
import { once } from '../../domain/units/once.ts';
import type { Composed, ComposeRequest, Decision, Freeze, Requirements } from '../compose.ts';
import { freezeBecause, readSpec } from '../freeze.ts';
import { type Assignment, assignmentEntry } from '../hand-offs.ts';
import { observedWith } from '../observed-with.ts';
import { refuseDeployment } from '../refuse-deployment.ts';
import { renderReplica, templateOf, toComposed } from './render-replica.ts';

/** Hexadecimal digits of the hash of the author's own fields. */
const authorHashLength = 16;

/** Decides which replicas of a deployment exist and which template each has. */
export function composeDeployment(request: ComposeRequest): Decision | Freeze {
  const { xr } = request;
  const requirements = requireServices(xr);
  const read = readSpec(xr, ModelDeploymentSpec);
  if (read.state === 'Invalid')
    return freezeBecause(requirements, { type: 'RolledOut', reason: 'InvalidSpec', message: read.why });
  const refusal = refuseDeployment(xr, read.spec);
  if (refusal !== undefined)
    return freezeBecause(requirements, { type: 'RolledOut', reason: 'InvalidSpec', message: refusal });
  const assignment = request.handOff(assignmentEntry);
  if (assignment.state === 'Missing') {
    return freezeBecause(requirements, { type: 'RolledOut', reason: 'HandOffMissing', message: assignment.why });
  }
  const required = request.required('services');
  if (required.state === 'Unresolved') {
    const message =
      'Cannot decide before the services of the namespace have been fetched; Crossplane fetches them next';
    return freezeBecause(requirements, { type: 'RolledOut', reason: 'WaitingForRequired', message });
  }
  const name = xr.metadata.name ?? '';
  const services = (required.state === 'Present' ? required.objects : []).filter((service) =>
    mayRouteTo(service, name),
  );
  const observed = observedWith(request.observed, 'replica-');
  const replicas = [...observed.values()].map((replica) => readReplica(replica, services, request.now));
  const authorHash = hashTemplate(xr);
  const mayChange = assignment.value.clusterName !== undefined;
  const steps = planReplicas({ wanted: read.spec.replicas, authorHash, mayChange, replicas });
  const ready = replicas.filter((replica) => replica.readiness === 'Ready').length;
  const updated = replicas.filter((replica) => replica.authorHash === authorHash).length;
  const counts = { wanted: read.spec.replicas, total: replicas.length, updated };
  return {
    requirements,
    composed: composeReplicas({ request, spec: read.spec, assignment: assignment.value, authorHash, steps, observed }),
    dropped: new Map(steps.filter((step) => step.action === 'Drop').map((step) => [keyOf(xr, step.index), step.why])),
    status: {
      replicas: { total: counts.total, ready, updated },
      selector: `${label.deployment}=${boundedName(name)}`,
    },
    conditions: deploymentConditions({ counts, observed: [...observed.values()], services, authorHash, mayChange }),
    ready: counts.wanted > 0 && ready > 0 && isRoutable(services) !== 'False',
  };
}

function requireServices(xr: KubernetesObject): Requirements {
  const { namespace } = xr.metadata;
  const everyOne = { matchLabels: {}, ...(namespace === undefined ? {} : { namespace }) };
  return { resources: { services: { apiVersion, kind: 'ModelService', ...everyOne } } };
}

const specSchema = once(() => structuralSchema(ModelDeploymentSpec));

/** The author's own fields as stored, without defaults, so that an upgrade changes no hash. */
function hashTemplate(xr: KubernetesObject): string {
  const stated = withoutDefaults(specSchema(), xr.spec);
  return stableHash(templateOf(stated), authorHashLength);
}

function keyOf(xr: KubernetesObject, index: number): string {
  return `replica-${boundedName(`${xr.metadata.name}-${index}`)}`;
}

interface ReplicasToCompose {
  readonly request: ComposeRequest;
  readonly spec: ModelDeploymentSpec;
  readonly assignment: Assignment;
  readonly authorHash: string;
  readonly steps: readonly ReplicaStep[];
  readonly observed: ReadonlyMap<string, KubernetesObject>;
}

function composeReplicas(question: ReplicasToCompose): ReadonlyMap<string, Composed> {
  const { request, steps, observed } = question;
  const composed = new Map<string, Composed>();
  for (const step of steps) {
    if (step.action === 'Drop') continue;
    const key = keyOf(request.xr, step.index);
    const existing = observed.get(key);
    const source = step.copyOf === undefined ? undefined : observed.get(keyOf(request.xr, step.copyOf));
    const object = renderReplica({ ...question, xr: request.xr, step, now: request.now, existing, source });
    if (object !== undefined) composed.set(key, toComposed(object, existing, step));
  }
  return composed;
}
