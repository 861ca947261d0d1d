import type { Condition } from '../../domain/kubernetes/condition.ts';
import { label } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';
import { replicaLabel } from '../../domain/placement/node-group.ts';
import { judgeWorkload } from '../../domain/readiness/judge-workload.ts';
import { type ChosenRevision, chooseRevision } from '../../domain/rollout/choose-revision.ts';
import { failureCondition } from '../../domain/rollout/failure-condition.ts';
import type { GangVerdict } from '../../domain/rollout/judge-gang.ts';
import type { RevisionVerdict } from '../../domain/rollout/judge-revision.ts';
import { mergeMemory } from '../../domain/rollout/revision-memory.ts';
import { rolledOutCondition } from '../../domain/rollout/rolled-out-condition.ts';
import type { Composed, ComposeRequest } from '../compose.ts';
import type { RenderedEngine } from '../hand-offs.ts';
import { observedWith } from '../observed-with.ts';
import { composeEvidence } from './compose-evidence.ts';
import { judgeObserved } from './judge-observed.ts';

/** What a revision comes to: the objects to emit, the keys that may go, and what is known of it. */
export interface ComposedRevision {
  readonly composed: ReadonlyMap<string, Composed>;
  readonly dropped: ReadonlyMap<string, string>;
  readonly condition: Condition;
  /** Why the gang that runs has not formed in its time. */
  readonly notFormed?: string;
  readonly wakeInSeconds?: number;
}

export interface RevisionToCompose {
  readonly rendered: RenderedEngine;
  /** The observed workload, if there is one. */
  readonly workload: KubernetesObject | undefined;
  readonly pods: readonly KubernetesObject[];
}

/** The objects of the chosen revision as they were rendered first, beside the revisions that are kept. */
export function composeRevision(request: ComposeRequest, question: RevisionToCompose): ComposedRevision {
  const { rendered, workload, pods } = question;
  const { verdict, gang } = judgeObserved(request, question);
  const chosen = choose(request, { ...question, verdict, gang });
  const isReleased = gang.isReleased && workload?.metadata.labels?.[label.revision] === verdict.target;
  const wakes = [verdict.wakeInSeconds, gang.wakeInSeconds].filter((seconds) => seconds !== undefined);
  const isReady = workload !== undefined && judgeWorkload(workload, pods) === 'Ready';
  const evidence = composeEvidence(request, { wanted: rendered.revision, workload, isReady });
  const composed = composeChosen(request, isReleased ? releaseGang(chosen) : chosen, pods);
  return {
    composed: new Map([...composed, ...evidence.composed]),
    dropped: new Map([...chosen.dropped, ...evidence.dropped]),
    condition: failureCondition(verdict, rendered.revision) ?? rolledOutCondition(workload, pods, rendered.revision),
    ...(gang.because === undefined ? {} : { notFormed: gang.because }),
    ...(wakes.length === 0 ? {} : { wakeInSeconds: Math.min(...wakes) }),
  };
}

interface JudgedRevision extends RevisionToCompose {
  readonly verdict: RevisionVerdict;
  readonly gang: GangVerdict;
}

function choose(request: ComposeRequest, { rendered, verdict, gang, pods }: JudgedRevision): ChosenRevision {
  const { metadata } = request.xr;
  const name = metadata.name ?? '';
  const labels = {
    [label.managedBy]: 'modelberth',
    [label.replica]: replicaLabel({ namespace: metadata.namespace ?? '', name }),
  };
  const workloads = withPrefix(request, 'workload-');
  const running = [...pods, ...workloads.values()];
  const used = running.map((object) => object.metadata.labels?.[label.revision]).filter((hash) => hash !== undefined);
  // A pod that does not say its revision may run any of them.
  const isProven = used.length === running.length;
  return chooseRevision({
    replica: name,
    labels,
    target: verdict.target,
    memory: mergeMemory(verdict.memory, gang.memory),
    rendered,
    revisions: withPrefix(request, 'revision-'),
    workloads,
    claims: withPrefix(request, 'claim-'),
    usedRevisions: isProven ? new Set(used) : undefined,
  });
}

/** The workload without a pod: a half gang gives its accelerators back. */
function releaseGang(chosen: ChosenRevision): ChosenRevision {
  const objects = [...chosen.objects].map(([key, object]): [string, KubernetesObject] =>
    object.kind === 'LeaderWorkerSet' && isRecord(object.spec)
      ? [key, { ...object, spec: { ...object.spec, replicas: 0 } }]
      : [key, object],
  );
  return { ...chosen, objects: new Map(objects) };
}

function withPrefix(request: ComposeRequest, prefix: string): ReadonlyMap<string, KubernetesObject> {
  return observedWith(request.observed, prefix);
}

/** The workload as observed: the one that the current revision renders, else any. */
export function findWorkload(
  request: ComposeRequest,
  rendered: RenderedEngine | undefined,
): KubernetesObject | undefined {
  const workloads = [...withPrefix(request, 'workload-')];
  const current = workloads.find(([key]) => rendered !== undefined && Object.hasOwn(rendered.objects, key));
  return (current ?? workloads[0])?.[1];
}

function composeChosen(
  request: ComposeRequest,
  chosen: ChosenRevision,
  pods: readonly KubernetesObject[],
): ReadonlyMap<string, Composed> {
  const composed = new Map<string, Composed>();
  for (const [key, object] of chosen.revisions) {
    composed.set(key, {
      object,
      ready: request.observed.has(key),
      state: 'Created',
      why: 'keeps what was rendered for this revision',
    });
  }
  for (const [key, object] of chosen.objects) composed.set(key, composeOne(object, request.observed.get(key), pods));
  return composed;
}

function composeOne(
  object: KubernetesObject,
  observed: KubernetesObject | undefined,
  pods: readonly KubernetesObject[],
): Composed {
  const revision = object.metadata.labels?.[label.revision] ?? '';
  if (observed === undefined)
    return { object, ready: false, state: 'Created', why: `rendered for revision ${revision}` };
  const runs = observed.metadata.labels?.[label.revision] ?? '';
  // What is observed is the evidence for the revision that it has, not for the one that replaces it in this pass (S5).
  if (runs !== revision)
    return { object, ready: false, state: 'Waiting', why: `revision ${revision} replaces ${runs || 'an unnamed one'}` };
  const ready = judgeWorkload(observed, pods) === 'Ready';
  if (object.kind === 'ResourceClaimTemplate')
    return { object, ready, state: 'Ready', why: `claims the accelerators of revision ${revision}` };
  return {
    object,
    ready,
    state: ready ? 'Ready' : 'Waiting',
    why: ready ? `answers on revision ${revision}` : `starting revision ${revision}`,
  };
}
