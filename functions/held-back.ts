import { label } from '../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';
import { isHeldBack, readRevisionMemory } from '../domain/rollout/revision-memory.ts';
import { observedWith } from './observed-with.ts';

/** Tells whether the revision that runs gets no requests, by the memory on its ControllerRevision; without one it does. */
export function isLiveHeldBack(observed: ReadonlyMap<string, KubernetesObject>): boolean {
  return [...observedWith(observed, 'workload-').values()].some((workload) => {
    const revision = observed.get(`revision-${workload.metadata.labels?.[label.revision]}`);
    return revision !== undefined && isHeldBack(readRevisionMemory(revision));
  });
}
