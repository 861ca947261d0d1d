import { label } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { placeAnnotations } from './node-affinity.ts';
import { renderPodTemplate } from './pod-template.ts';
import type { WorkloadQuestion } from './workload-question.ts';

/** The workload of a replica on one node: one pod that owns its accelerators. */
export function renderDeployment(question: WorkloadQuestion): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: question.replica,
      labels: { ...question.labels, [label.revision]: question.revision },
      annotations: placeAnnotations(question),
    },
    spec: {
      replicas: 1,
      selector: { matchLabels: question.selector },
      // Written in full from the first revision: a defaulted strategy can never become Recreate (S8, L39).
      strategy: { type: 'Recreate' },
      progressDeadlineSeconds: 3600,
      template: renderPodTemplate(question, 'leader'),
    },
  };
}
