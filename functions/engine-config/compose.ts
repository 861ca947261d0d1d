import { ModelReplicaSpec } from '../../apis/modelreplicas/schema.ts';
import { enginePort } from '../../domain/engine/engine-port.ts';
import { engineProtocols } from '../../domain/engine/engine-protocols.ts';
import { type KubernetesObject, readPath } from '../../domain/kubernetes/object.ts';
import type { Access } from '../../domain/kubernetes/remote/access.ts';
import { serviceName } from '../../domain/workload/service-name.ts';
import {
  renderNetworkPolicy,
  renderPodDisruptionBudget,
  renderPodMonitor,
  renderService,
  type SurroundingsQuestion,
} from '../../domain/workload/surroundings.ts';
import { plannedWorkload } from '../../domain/workload/workload.ts';
import type { Composed, ComposeRequest, Decision, Freeze } from '../compose.ts';
import { composeNamespace } from '../deliver.ts';
import { freezeBecause, readSpec, refuseOverlay } from '../freeze.ts';
import { engineEntry, placementEntry } from '../hand-offs.ts';
import { isLiveHeldBack } from '../held-back.ts';
import { renderEngine, surroundingsOf } from './render-engine.ts';
import { runningArguments } from './running-arguments.ts';

/** Renders the engine for the shape that has nodes, and what surrounds it. */
export function composeEngine(request: ComposeRequest): Decision | Freeze {
  const requirements = { resources: {} };
  const read = readSpec(request.xr, ModelReplicaSpec);
  if (read.state === 'Invalid')
    return freezeBecause(requirements, { type: 'EngineConfigured', reason: 'InvalidSpec', message: read.why });
  const fault = refuseOverlay(request.xr, read.spec.template.pod);
  if (fault !== undefined)
    return freezeBecause(requirements, { type: 'EngineConfigured', reason: 'InvalidSpec', message: fault });
  const handed = request.handOff(placementEntry);
  if (handed.state === 'Missing')
    return freezeBecause(requirements, { type: 'EngineConfigured', reason: 'HandOffMissing', message: handed.why });
  const { shape, preferredNodes, access, namespaces, hasPodMonitor } = handed.value;
  const around = surroundingsOf(request.xr, read.spec);
  const isHeldBack = isLiveHeldBack(request.observed);
  const surroundings = { ...around, isDetached: around.isDetached || isHeldBack, isHeldBack, namespaces };
  if (shape === undefined)
    return { requirements, access, ...waitForShape({ request, surroundings, access, hasPodMonitor, preferredNodes }) };
  const engine = renderEngine(request.xr, read.spec, shape);
  const { rendered } = engine;
  const { type } = read.spec.template.engine;
  const service = serviceName(surroundings.replica);
  const message = `Rendered for ${shape.rung} as revision ${rendered.revision}`;
  return {
    requirements,
    access,
    composed: composeSurroundings({ request, surroundings, access, hasPodMonitor }),
    status: {
      engine: {
        endpoint: { service, port: enginePort, protocols: engineProtocols[type] },
        ...runningArguments({ observed: request.observed, ...engine }),
      },
    },
    conditions: [{ type: 'EngineConfigured', status: 'True', reason: 'Rendered', message }],
    handOffs: [{ entry: engineEntry, value: { rendered } }],
  };
}

interface Around {
  readonly request: ComposeRequest;
  readonly surroundings: SurroundingsQuestion;
  readonly access: Access;
  readonly hasPodMonitor: boolean;
}
interface Waiting extends Around {
  readonly preferredNodes: number | undefined;
}

/** Before there are nodes only what surrounds the engine exists; what ran before keeps its entry in the status. */
function waitForShape({ preferredNodes, ...around }: Waiting): Omit<Decision, 'requirements'> {
  const earlier = readPath(around.request.xr, ['status', 'engine']);
  const message = 'Waiting for a shape that has nodes; what runs stays as it is';
  return {
    composed: composeSurroundings(around),
    status: earlier === undefined ? {} : { engine: earlier },
    conditions: [{ type: 'EngineConfigured', status: 'False', reason: 'NotPlaced', message }],
    handOffs: [
      { entry: engineEntry, value: preferredNodes === undefined ? {} : { planned: plannedWorkload(preferredNodes) } },
    ],
  };
}

/** Service and policies of the replica: they exist before the engine does, and outlive every revision. */
function composeSurroundings({
  request,
  surroundings: question,
  access,
  hasPodMonitor,
}: Around): ReadonlyMap<string, Composed> {
  const objects: (readonly [string, KubernetesObject, string])[] = [
    [
      'engine-service',
      renderService(question),
      question.isDetached
        ? `selects no pod: the replica ${question.isHeldBack === true ? 'has not proved itself' : 'is detached'}`
        : 'headless; the gateway reaches each ready pod by it',
    ],
    ['engine-network-policy', renderNetworkPolicy(question), 'admits the gateway, the scraper and the replica itself'],
    ['engine-disruption-budget', renderPodDisruptionBudget(question), 'one pod may be evicted at a time'],
    ...(hasPodMonitor
      ? [['engine-pod-monitor', renderPodMonitor(question), 'scrapes /metrics of the engine'] as const]
      : []),
  ];
  const around = objects.map(([key, object, why]): [string, Composed] => {
    const exists = request.observed.has(key);
    return [key, { object, ready: exists, state: exists ? 'Ready' : 'Created', why }];
  });
  return new Map([...around, ...composeNamespace(request, access)]);
}
