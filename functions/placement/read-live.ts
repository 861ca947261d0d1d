import type { ModelReplicaSpec } from '../../apis/modelreplicas/schema.ts';
import { label } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { isBarred } from '../../domain/placement/is-barred.ts';
import { judgeWorkload } from '../../domain/readiness/judge-workload.ts';
import type { ComposeRequest } from '../compose.ts';
import { templateRevision } from '../template-revision.ts';
import { findWorkload, placeOf } from './live-workload.ts';

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
  const { seen, rendered } = findWorkload(request);
  const serving = seen !== undefined && judgeWorkload(seen, pods) === 'Ready';
  const place = rendered === undefined ? undefined : placeOf(rendered);
  if (place === undefined) return { serving, claimMoved: false };
  const revision = rendered?.metadata.labels?.[label.revision];
  const isEdited = revision !== undefined && revision !== templateRevision(request.xr, place);
  return { liveRung: place.rung, serving, claimMoved: isEdited || isBarred(place.rung, spec.placement) };
}
