import { annotation } from '../../domain/kubernetes/label.ts';
import { type KubernetesObject, readNumber, readString } from '../../domain/kubernetes/object.ts';
import { judgeWorkload } from '../../domain/readiness/judge-workload.ts';
import { defaultDeadlineMinutes } from '../../domain/rollout/default-deadline.ts';
import { type GangVerdict, judgeGang } from '../../domain/rollout/judge-gang.ts';
import { judgeRevision, type RevisionPolicy, type RevisionVerdict } from '../../domain/rollout/judge-revision.ts';
import { type RevisionObjects, readObjects } from '../../domain/rollout/revision-objects.ts';
import type { ComposeRequest } from '../compose.ts';
import type { RenderedEngine } from '../hand-offs.ts';
import { observedWith } from '../observed-with.ts';
import { readEvidence } from './compose-evidence.ts';

const revisionPrefix = 'revision-';

export interface ObservedRevision {
  readonly rendered: RenderedEngine;
  readonly workload: KubernetesObject | undefined;
  readonly pods: readonly KubernetesObject[];
}

/** Judges the rendered revision, and the gang that runs, from what is observed of the replica. */
export function judgeObserved(
  request: ComposeRequest,
  { rendered, workload, pods }: ObservedRevision,
): { readonly verdict: RevisionVerdict; readonly gang: GangVerdict } {
  const revisions = new Map(
    [...observedWith(request.observed, revisionPrefix)].map(
      ([key, object]) => [key.slice(revisionPrefix.length), object] as const,
    ),
  );
  const policy = policyOf(request.xr, rendered.objects);
  const { deadlineMinutes } = policy;
  const gang = judgeGang({ workload, pods, revisions, deadlineMinutes, now: request.now });
  const place = placeOf(rendered.objects);
  const runnable = [...revisions].filter(([, object]) => placeOf(readObjects(object) ?? {}) === place);
  const readiness = workload === undefined ? 'Unknown' : judgeWorkload(workload, pods);
  const verdict = judgeRevision({
    wanted: rendered.revision,
    revisions,
    workload,
    // A gang of which no pod came in time proves as much as one that does not answer.
    readiness: readiness === 'Unknown' && gang.because !== undefined ? 'NotReady' : readiness,
    pods,
    runnable: new Set(runnable.map(([hash]) => hash)),
    policy,
    evidence: readEvidence(request, rendered.revision),
    now: request.now,
  });
  return { verdict, gang };
}

/** What the author says of a revision that fails; unset, the deadline is that of its startup probe. */
function policyOf({ spec }: KubernetesObject, objects: RevisionObjects): RevisionPolicy {
  const onFailure = readString(spec, ['rollout', 'onFailure']) === 'Stay' ? 'Stay' : 'GoBack';
  const deadlineMinutes = readNumber(spec, ['rollout', 'deadlineMinutes']) ?? defaultDeadlineMinutes(objects);
  return { deadlineMinutes, onFailure };
}

/** The rung that the workload of a revision was rendered for, and of an existing pool the granted nodes. */
function placeOf(objects: RevisionObjects): string | undefined {
  for (const [key, object] of Object.entries(objects)) {
    if (!key.startsWith('workload-')) continue;
    const names = [annotation.rung, annotation.poolNodes];
    return names.map((name) => readString(object, ['metadata', 'annotations', name])).join(' ');
  }
  return undefined;
}
