import { label } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { boundedName } from '../kubernetes/resource-name.ts';
import { placeAnnotations } from './node-affinity.ts';
import { renderPodTemplate } from './pod-template.ts';
import type { WorkloadQuestion } from './workload-question.ts';

/**
 * The workload of a replica over several nodes: a leader that answers and workers that compute (L9). LeaderWorkerSet
 * makes a headless Service of its own name by which the ranks meet before any is ready, so it must not be the replica's.
 */
export function renderLeaderWorkerSet(question: WorkloadQuestion): KubernetesObject {
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: {
      name: boundedName(`${question.replica}-gang`),
      labels: { ...question.labels, [label.revision]: question.revision },
      annotations: placeAnnotations(question),
    },
    spec: {
      replicas: 1,
      startupPolicy: 'LeaderCreated',
      // In full from the first revision (S8): the accelerators are exclusive, so the old gang goes before the new (L39).
      rolloutStrategy: {
        type: 'RollingUpdate',
        rollingUpdateConfiguration: { partition: 0, maxUnavailable: 1, maxSurge: 0 },
      },
      leaderWorkerTemplate: {
        size: question.shape.nodes,
        restartPolicy: 'RecreateGroupOnPodRestart',
        leaderTemplate: renderPodTemplate(question, 'leader'),
        workerTemplate: renderPodTemplate(question, 'worker'),
      },
    },
  };
}
