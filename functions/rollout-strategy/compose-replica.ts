import type { Condition } from '../../domain/kubernetes/condition.ts';
import { label } from '../../domain/kubernetes/label.ts';
import { type KubernetesObject, readPath } from '../../domain/kubernetes/object.ts';
import { engineCondition, lastFailure } from '../../domain/rollout/engine-condition.ts';
import { rolledOutCondition } from '../../domain/rollout/rolled-out-condition.ts';
import type { ComposeRequest, Decision, Freeze, ResourceRow } from '../compose.ts';
import { freezeBecause } from '../freeze.ts';
import { type EngineConfig, engineEntry, type RenderedEngine } from '../hand-offs.ts';
import { requirePods } from '../require-pods.ts';
import { composeRevision, findWorkload } from './compose-revision.ts';

/** Emits the workload of the current revision as it was rendered first, and says whether the engine answers. */
export function composeReplica(request: ComposeRequest): Decision | Freeze {
  const { name = '', namespace = '' } = request.xr.metadata;
  const requirements = { resources: { pods: requirePods({ name, namespace }) } };
  const required = request.required('pods');
  if (required.state === 'Unresolved') {
    const message = 'Cannot decide before the pods of the replica have been fetched; Crossplane fetches them next';
    return freezeBecause(requirements, { type: 'RolledOut', reason: 'WaitingForRequired', message });
  }
  const pods = required.state === 'Present' ? required.objects : [];
  const engine = request.handOff(engineEntry);
  const { rendered, planned } = engine.state === 'Present' ? engine.value : {};
  const workload = findWorkload(request, rendered);
  const ready = engineCondition(workload, pods);
  const rolledOut = rolledOutCondition(workload, pods, rendered?.revision);
  return {
    requirements,
    ...(rendered === undefined ? { composed: new Map() } : composeRevision(request, rendered, pods)),
    planned: workload === undefined && rendered === undefined ? planRow(name, planned) : [],
    status: describe(request.xr, { rendered, workload, failure: lastFailure(pods) }),
    conditions: [engine.state === 'Missing' ? held(engine.why) : rolledOut, ready],
    ready: ready.status === 'True',
  };
}

/** Without a word from engine-config nothing changes; whether the engine answers is judged all the same. */
function held(message: string): Condition {
  return { type: 'RolledOut', status: 'Unknown', reason: 'HandOffMissing', message };
}

/** The row of a workload that will exist once there are nodes for it. */
function planRow(name: string, planned: EngineConfig['planned']): readonly ResourceRow[] {
  if (planned === undefined) return [];
  const why = `composed when its nodes are there; strategy ${planned.strategy}`;
  return [{ name, kind: planned.kind, state: 'Planned', why }];
}

interface Shown {
  readonly rendered: RenderedEngine | undefined;
  readonly workload: KubernetesObject | undefined;
  readonly failure: string | undefined;
}

/** The revision of now, or as it was shown last while nothing is rendered. */
function describe(xr: KubernetesObject, { rendered, workload, failure }: Shown): Record<string, unknown> {
  const live = workload?.metadata.labels?.[label.revision];
  const revision =
    rendered === undefined
      ? readPath(xr, ['status', 'revision'])
      : { current: rendered.revision, strategy: rendered.strategy, ...(live === undefined ? {} : { live }) };
  return {
    ...(revision === undefined ? {} : { revision }),
    ...(failure === undefined ? {} : { lastFailure: failure }),
  };
}
