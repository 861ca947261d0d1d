import { label } from '../../domain/kubernetes/label.ts';
import { type KubernetesObject, readNumber } from '../../domain/kubernetes/object.ts';
import { defaultDeadlineMinutes } from '../../domain/rollout/default-deadline.ts';
import { compareText, identityOf, type World } from '../crossplane/world.ts';
import type { Restart } from './follow-change.ts';
import type { PodRestart } from './plan.ts';
import { isWorkload, podsOf } from './react/pods.ts';
import { landRemote } from './react/remote.ts';

/** The pods of now that restart, in the order in which they do. */
export function listRestarts(before: World, restarts: readonly Restart[]): readonly PodRestart[] {
  const own = firstOfEach(restarts.filter(({ pod }) => before.get(identityOf(pod)) === pod));
  const passes = [...new Set(own.map(({ pass }) => pass))].sort((left, right) => left - right);
  const rows = own.map(
    (restart): PodRestart => ({
      pod: restart.pod.metadata.name ?? '',
      order: passes.indexOf(restart.pass) + 1,
      downtimeMinutes: downtimeOf(restart),
    }),
  );
  return rows.sort((left, right) => left.order - right.order || compareText(left.pod, right.pod));
}

/** LeaderWorkerSet gives a new pod the name of the old one; only the first restart is that of a pod of now. */
function firstOfEach(restarts: readonly Restart[]): readonly Restart[] {
  const seen = new Set<string>();
  return restarts.filter(({ pod }) => {
    const isFirst = !seen.has(identityOf(pod));
    seen.add(identityOf(pod));
    return isFirst;
  });
}

/** The time that the new revision has to answer: what its claim says, else that of its startup probe and of a pull. */
function downtimeOf({ pod, world }: Restart): number {
  const workload = [...landRemote(world).values()].find(
    (object) => isWorkload(object) && podsOf(world, object).some((other) => isSameReplica(other, pod)),
  );
  const name = workload?.metadata.labels?.[label.replica]?.split('.').slice(1).join('.');
  const replica = [...world.values()].find(
    ({ kind, metadata }) => kind === 'ModelReplica' && metadata.name === name && name !== undefined,
  );
  const stated = readNumber(replica, ['spec', 'rollout', 'deadlineMinutes']);
  return stated ?? defaultDeadlineMinutes(workload === undefined ? {} : { 'workload-planned': workload });
}

function isSameReplica(one: KubernetesObject, other: KubernetesObject): boolean {
  return one.metadata.labels?.[label.replica] === other.metadata.labels?.[label.replica];
}
