import { isRecord, readList, readNumber, readPath } from '../kubernetes/object.ts';
import type { RevisionObjects } from './revision-objects.ts';

/** Minutes for what comes before the startup probe: scheduling, and the pull of an engine image of 10 to 20 GB. */
const pullMinutes = 15;

/**
 * Minutes in which a revision must answer: the budget of its slowest startup probe, which grows with the weights, and
 * the pull of its image.
 */
export function defaultDeadlineMinutes(objects: RevisionObjects): number {
  const seconds = Object.entries(objects).flatMap(([key, object]) =>
    key.startsWith('workload-') ? podSpecs(object).flatMap(startupSeconds) : [],
  );
  return pullMinutes + Math.ceil(Math.max(0, ...seconds) / 60);
}

/** Pod specs of a Deployment or a LeaderWorkerSet. */
function podSpecs(workload: Readonly<Record<string, unknown>>): readonly unknown[] {
  const paths = [
    ['spec', 'template', 'spec'],
    ['spec', 'leaderWorkerTemplate', 'leaderTemplate', 'spec'],
    ['spec', 'leaderWorkerTemplate', 'workerTemplate', 'spec'],
  ];
  return paths.map((path) => readPath(workload, path));
}

function startupSeconds(podSpec: unknown): readonly number[] {
  return readList(podSpec, ['containers'])
    .filter(isRecord)
    .map((container) => {
      const probe = readPath(container, ['startupProbe']);
      return (readNumber(probe, ['failureThreshold']) ?? 0) * (readNumber(probe, ['periodSeconds']) ?? 10);
    });
}
