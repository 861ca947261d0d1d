import type { Condition } from '../../domain/kubernetes/condition.ts';
import { label } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { replicaLabel } from '../../domain/placement/node-group.ts';
import { judgeReadiness } from '../../domain/readiness/judge-readiness.ts';
import { type ChosenRevision, chooseRevision } from '../../domain/rollout/choose-revision.ts';
import { engineCondition, lastFailure } from '../../domain/rollout/engine-condition.ts';
import type { Composed, ComposeRequest, Decision, Freeze, Required, Requirements, ResourceRow } from '../compose.ts';
import { freezeBecause } from '../freeze.ts';
import { engineEntry, type RenderedEngine } from '../hand-offs.ts';

/** Key of the workload; one for all revisions, so that a revision edits it in place. */
const workloadKey = 'workload-engine';

/** Emits the workload of the current revision as it was rendered first, and says whether the engine answers. */
export function composeReplica(request: ComposeRequest): Decision | Freeze {
  const requirements = requirePods(request.xr);
  const pods = request.required('pods');
  if (pods.state === 'Unresolved') {
    const message = 'Cannot decide before the pods of the replica have been fetched; Crossplane fetches them next';
    return freezeBecause(requirements, { type: 'RolledOut', reason: 'WaitingForRequired', message });
  }
  const engine = request.handOff(engineEntry);
  const workload = request.observed.get(workloadKey);
  const seen = pods.state === 'Present' ? pods.objects : [];
  const rendered = engine.state === 'Present' ? engine.value.rendered : undefined;
  const chosen = rendered === undefined ? undefined : choose(request, rendered, pods);
  const ready = engineCondition(workload, seen);
  const failure = lastFailure(seen);
  return {
    requirements,
    composed: chosen === undefined ? new Map() : composeChosen(request, chosen),
    ...(chosen === undefined ? {} : { dropped: chosen.dropped }),
    planned: planned(request.xr, workload, rendered),
    status: {
      ...(rendered === undefined ? carried(request.xr) : { revision: describeRevision(rendered, workload) }),
      ...(failure === undefined ? {} : { lastFailure: failure }),
    },
    conditions: [engine.state === 'Missing' ? held(engine.why) : rolledOut(workload, rendered, seen), ready],
    ready: ready.status === 'True',
  };
}

function requirePods({ metadata }: KubernetesObject): Requirements {
  const { name = '', namespace } = metadata;
  const matchLabels = { [label.replica]: replicaLabel({ namespace: namespace ?? '', name }) };
  return {
    resources: {
      pods: { apiVersion: 'v1', kind: 'Pod', matchLabels, ...(namespace === undefined ? {} : { namespace }) },
    },
  };
}

function choose(request: ComposeRequest, rendered: RenderedEngine, pods: Required): ChosenRevision {
  const { metadata } = request.xr;
  const name = metadata.name ?? '';
  const labels = {
    [label.managedBy]: 'modelberth',
    [label.replica]: replicaLabel({ namespace: metadata.namespace ?? '', name }),
  };
  const workload = request.observed.get(workloadKey);
  const running = [...(pods.state === 'Present' ? pods.objects : []), ...(workload === undefined ? [] : [workload])];
  const used = running.map((object) => object.metadata.labels?.[label.revision]).filter((hash) => hash !== undefined);
  // A pod that does not say its revision may run any of them.
  const isProven = used.length === running.length;
  const withPrefix = (prefix: string) => new Map([...request.observed].filter(([key]) => key.startsWith(prefix)));
  return chooseRevision({
    replica: name,
    labels,
    rendered,
    revisions: withPrefix('revision-'),
    claims: withPrefix('claim-'),
    usedRevisions: isProven ? new Set(used) : undefined,
  });
}

function composeChosen(request: ComposeRequest, chosen: ChosenRevision): ReadonlyMap<string, Composed> {
  const composed = new Map<string, Composed>();
  for (const [key, object] of chosen.revisions) {
    composed.set(key, {
      object,
      ready: request.observed.has(key),
      state: 'Created',
      why: 'keeps what was rendered for this revision',
    });
  }
  for (const [key, object] of chosen.objects) composed.set(key, composeOne(object, request.observed.get(key)));
  return composed;
}

function composeOne(object: KubernetesObject, observed: KubernetesObject | undefined): Composed {
  const revision = object.metadata.labels?.[label.revision] ?? '';
  if (observed === undefined)
    return { object, ready: false, state: 'Created', why: `rendered for revision ${revision}` };
  const ready = judgeReadiness(observed) === 'Ready';
  if (object.kind === 'ResourceClaimTemplate')
    return { object, ready, state: 'Ready', why: `claims the accelerators of revision ${revision}` };
  return {
    object,
    ready,
    state: ready ? 'Ready' : 'Waiting',
    why: ready ? `answers on revision ${revision}` : `starting revision ${revision}`,
  };
}

/** The row of a workload that will exist once there are nodes for it. */
function planned(
  xr: KubernetesObject,
  workload: KubernetesObject | undefined,
  rendered: RenderedEngine | undefined,
): readonly ResourceRow[] {
  if (workload !== undefined || rendered !== undefined) return [];
  const why = 'composed when its node is there; strategy Recreate (no spare accelerator)';
  return [{ name: xr.metadata.name ?? '', kind: 'Deployment', state: 'Planned', why }];
}

function describeRevision(rendered: RenderedEngine, workload: KubernetesObject | undefined): Record<string, unknown> {
  const live = workload?.metadata.labels?.[label.revision];
  return { current: rendered.revision, strategy: rendered.strategy, ...(live === undefined ? {} : { live }) };
}

function carried(xr: KubernetesObject): Record<string, unknown> {
  const status = xr.status;
  const earlier = typeof status === 'object' && status !== null && 'revision' in status ? status.revision : undefined;
  return earlier === undefined ? {} : { revision: earlier };
}

/** Without a word from engine-config nothing changes; whether the engine answers is judged all the same. */
function held(message: string): Condition {
  return { type: 'RolledOut', status: 'Unknown', reason: 'HandOffMissing', message };
}

function rolledOut(
  workload: KubernetesObject | undefined,
  rendered: RenderedEngine | undefined,
  pods: readonly KubernetesObject[],
): Condition {
  if (rendered === undefined) {
    const message =
      workload === undefined
        ? 'Waiting for a shape that has nodes'
        : 'Nothing was rendered in this pass; what runs stays as it is';
    const status = workload === undefined ? 'False' : 'Unknown';
    return { type: 'RolledOut', status, reason: 'NotPlaced', message };
  }
  const live = workload?.metadata.labels?.[label.revision];
  const isRunning =
    pods.length === 0 || pods.some((pod) => pod.metadata.labels?.[label.revision] === rendered.revision);
  if (live === rendered.revision && isRunning) {
    return {
      type: 'RolledOut',
      status: 'True',
      reason: 'RevisionLive',
      message: `Revision ${live} is what the workload was rendered from`,
    };
  }
  const before = pods.map((pod) => pod.metadata.labels?.[label.revision]).find((hash) => hash !== rendered.revision);
  const message = `Revision ${rendered.revision} replaces ${before ?? live ?? 'nothing'}`;
  return { type: 'RolledOut', status: 'False', reason: 'RollingOut', message };
}
