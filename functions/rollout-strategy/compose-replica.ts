import type { Condition } from '../../domain/kubernetes/condition.ts';
import { annotation, label } from '../../domain/kubernetes/label.ts';
import { type KubernetesObject, readPath } from '../../domain/kubernetes/object.ts';
import type { Access } from '../../domain/kubernetes/remote/access.ts';
import { engineCondition, gangCondition, lastFailure } from '../../domain/rollout/engine-condition.ts';
import { rolledOutCondition } from '../../domain/rollout/rolled-out-condition.ts';
import type { ComposeRequest, Decision, Freeze, ResourceRow } from '../compose.ts';
import { findRefusal } from '../deliver.ts';
import { type EngineConfig, engineEntry, type RenderedEngine } from '../hand-offs.ts';
import { isLiveHeldBack } from '../held-back.ts';
import { type ComposedRevision, composeRevision, findWorkload } from './compose-revision.ts';
import { describeConformance, requireCheckPods } from './describe-conformance.ts';
import { readPods } from './read-pods.ts';

/** Emits the workload of the current revision as it was rendered first, and says whether the engine answers. */
export function composeReplica(request: ComposeRequest): Decision | Freeze {
  const { name = '' } = request.xr.metadata;
  const read = readPods(request);
  if ('frozen' in read) return read;
  const { requirements, access, pods } = read;
  const engine = request.handOff(engineEntry);
  const { rendered, planned } = engine.state === 'Present' ? engine.value : {};
  const workload = findWorkload(request, rendered);
  const revision = rendered === undefined ? holding(workload) : composeRevision(request, { rendered, workload, pods });
  const { condition, notFormed, ...kept } = revision;
  const ready = notFormed === undefined ? engineCondition(workload, pods) : gangCondition(notFormed);
  const conformance = describeConformance(request, workload);
  const rolledOut = refusedCondition(request, access) ?? condition;
  return {
    requirements: { resources: { ...requirements.resources, ...requireCheckPods(request, access) } },
    ...(access === undefined ? {} : { access }),
    ...kept,
    planned: workload === undefined && rendered === undefined ? planRow(name, planned) : [],
    status: { ...describe(request.xr, { rendered, workload, failure: lastFailure(pods) }), ...conformance.status },
    conditions: [engine.state === 'Missing' ? held(engine.why) : rolledOut, ready, ...conformance.conditions],
    ready: ready.status === 'True' && !isLiveHeldBack(request.observed),
  };
}

/** What another cluster refuses never comes to run, and nothing but its Object would say so. */
function refusedCondition({ stored }: ComposeRequest, access: Access | undefined): Condition | undefined {
  const refusal = access?.type === 'Remote' ? findRefusal(stored) : undefined;
  if (refusal === undefined) return undefined;
  return { type: 'RolledOut', status: 'False', reason: 'DeliveryRefused', message: refusal };
}

/** Nothing was rendered: what runs stays as it is. */
function holding(workload: KubernetesObject | undefined): ComposedRevision {
  return { composed: new Map(), dropped: new Map(), condition: rolledOutCondition(workload, [], undefined) };
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
  const authorHash = xr.metadata.annotations?.[annotation.authorHash];
  const revision =
    rendered === undefined
      ? readPath(xr, ['status', 'revision'])
      : {
          current: rendered.revision,
          strategy: rendered.strategy,
          ...(live === undefined ? {} : { live }),
          ...(authorHash === undefined ? {} : { authorHash }),
        };
  return {
    ...(revision === undefined ? {} : { revision }),
    ...(failure === undefined ? {} : { lastFailure: failure }),
  };
}
