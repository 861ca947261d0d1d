import { annotation } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { ComposeRequest } from '../compose.ts';
import { lastAsked } from '../deliver.ts';
import type { RevisionPlace } from '../template-revision.ts';

/** The workload of a replica. */
export interface FoundWorkload {
  /** As observed; undefined while it has none, or it is not seen. */
  readonly seen: KubernetesObject | undefined;
  /** As observed, else as it was asked for last on another cluster. */
  readonly rendered: KubernetesObject | undefined;
}

/** The workload of a replica as far as it is known. */
export function findWorkload({ stored, observed }: Pick<ComposeRequest, 'stored' | 'observed'>): FoundWorkload {
  const key = [...stored.keys()].find((candidate) => candidate.startsWith('workload-'));
  const seen = key === undefined ? undefined : observed.get(key);
  return { seen, rendered: seen ?? (key === undefined ? undefined : lastAsked(stored, key)) };
}

/** Where a workload was rendered for, by its own annotations; undefined where they are lost. */
export function placeOf({ metadata }: KubernetesObject): RevisionPlace | undefined {
  const rung = metadata.annotations?.[annotation.rung];
  const nodes = metadata.annotations?.[annotation.poolNodes] ?? '';
  if (rung === undefined) return undefined;
  return nodes === '' ? { rung } : { rung, poolNodes: nodes.split(',') };
}
