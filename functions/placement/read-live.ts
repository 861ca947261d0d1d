import type { ModelReplicaSpec } from '../../apis/modelreplicas/schema.ts';
import { annotation, label } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { judgeWorkload } from '../../domain/readiness/judge-workload.ts';
import type { ComposeRequest } from '../compose.ts';
import { lastAsked } from '../deliver.ts';
import { templateRevision } from '../template-revision.ts';

/** What runs of a replica, from its observed workload. */
export interface LiveWorkload {
  readonly liveRung?: string;
  readonly serving: boolean;
  /** The author has edited the template or the classes since it was rendered. */
  readonly claimMoved: boolean;
}

/** What a live workload is judged against. */
export interface LiveQuestion {
  readonly spec: ModelReplicaSpec;
  readonly pods: readonly KubernetesObject[];
}

/**
 * The rung of the workload that runs, whether it answers, and whether it is what the claim asks for now. One that was
 * asked for on another cluster and has not been seen there keeps its rung, and answers nobody.
 */
export function readLive(request: ComposeRequest, { spec, pods }: LiveQuestion): LiveWorkload {
  const key = [...request.stored.keys()].find((candidate) => candidate.startsWith('workload-'));
  const seen = key === undefined ? undefined : request.observed.get(key);
  const object = seen ?? (key === undefined ? undefined : lastAsked(request.stored, key));
  const serving = seen !== undefined && judgeWorkload(seen, pods) === 'Ready';
  const liveRung = object?.metadata.annotations?.[annotation.rung];
  if (liveRung === undefined) return { serving, claimMoved: false };
  const revision = object?.metadata.labels?.[label.revision];
  const isEdited = revision !== undefined && revision !== templateRevision(request.xr, liveRung);
  const isBarred = !spec.placement.classes.some((name) => liveRung.startsWith(`${name}/`));
  return { liveRung, serving, claimMoved: isEdited || isBarred };
}
