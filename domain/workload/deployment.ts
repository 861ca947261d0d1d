import { enginePort } from '../engine/list-arguments.ts';
import { annotation, group, label } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { nodeGroupLabel } from '../placement/node.ts';
import { formatBytes, gib } from '../units/bytes.ts';
import { claimTemplateName } from './claim-template.ts';
import { claimName, podResources, sharedMemoryBytes } from './pod-resources.ts';
import { gracePeriodSeconds, preStop, probes } from './probes.ts';
import type { WorkloadQuestion } from './workload-question.ts';

/** The workload of a replica on one node: one pod that owns its accelerators. */
export function renderDeployment(question: WorkloadQuestion): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: question.replica,
      labels: { ...question.labels, [label.revision]: question.revision },
      annotations: { [annotation.rung]: question.rung },
    },
    spec: {
      replicas: 1,
      selector: { matchLabels: question.selector },
      // Written in full from the first revision: a defaulted strategy can never become Recreate (S8, L39).
      strategy: { type: 'Recreate' },
      progressDeadlineSeconds: 3600,
      template: {
        metadata: { labels: { ...question.labels, [label.revision]: question.revision } },
        spec: podSpec(question),
      },
    },
  };
}

function podSpec(question: WorkloadQuestion): Record<string, unknown> {
  return {
    ...(question.allocation === 'DRA'
      ? { resourceClaims: [{ name: claimName, resourceClaimTemplateName: claimTemplateName(question) }] }
      : {}),
    affinity: onNodeGroups(question.nodeGroups),
    tolerations: [
      { key: `${group}/accelerator`, operator: 'Exists', effect: 'NoSchedule' },
      { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
    ],
    terminationGracePeriodSeconds: gracePeriodSeconds,
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    containers: [engineContainer(question)],
    volumes: [
      { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: formatBytes(sharedMemoryBytes(question)) } },
      { name: 'weights', emptyDir: { sizeLimit: formatBytes(weightsVolumeGib(question) * gib) } },
    ],
  };
}

/** Room for the files and for one more copy of the largest, which a download holds while it is renamed. */
function weightsVolumeGib({ weightBytes }: WorkloadQuestion): number {
  return Math.ceil((1.25 * weightBytes) / gib) + 5;
}

function onNodeGroups(nodeGroups: readonly string[]): Record<string, unknown> {
  const terms = [{ matchExpressions: [{ key: nodeGroupLabel, operator: 'In', values: nodeGroups }] }];
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
}

function engineContainer(question: WorkloadQuestion): Record<string, unknown> {
  return {
    name: 'engine',
    image: question.engine.image,
    command: ['vllm', 'serve'],
    args: question.args,
    env: environment(question),
    ports: [{ name: 'http', containerPort: enginePort, protocol: 'TCP' }],
    resources: podResources(question),
    ...probes(question),
    lifecycle: { preStop: preStop() },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    volumeMounts: [
      { name: 'shm', mountPath: '/dev/shm' },
      { name: 'weights', mountPath: '/weights' },
    ],
  };
}

function environment({ model, vendor }: WorkloadQuestion): readonly Record<string, unknown>[] {
  const { hubTokenSecret } = model;
  return [
    { name: 'HF_HOME', value: '/weights' },
    ...(hubTokenSecret === undefined
      ? []
      : [{ name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: hubTokenSecret.name, key: hubTokenSecret.key } } }]),
    // Nine out-of-memory ends in four days were fragmentation; this is what ended them (L17, L18).
    ...(vendor === 'NVIDIA' ? [{ name: 'PYTORCH_CUDA_ALLOC_CONF', value: 'expandable_segments:True' }] : []),
  ];
}
