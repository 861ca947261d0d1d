import { enginePort } from '../engine/engine-port.ts';
import { gangArguments } from '../engine/list-arguments.ts';
import { sharedMemoryBytes } from '../fit/terms/host.ts';
import { label } from '../kubernetes/label.ts';
import { formatBytes, gib } from '../units/bytes.ts';
import { claimTemplateName } from './claim-template.ts';
import { nodeAffinity, tolerations } from './node-affinity.ts';
import { claimName, podResources } from './pod-resources.ts';
import { gracePeriodSeconds, preStop, probes } from './probes.ts';
import type { WorkloadQuestion } from './workload-question.ts';

/** What a pod does within its replica. A pod alone is a leader. */
export type PodRole = 'leader' | 'worker';

/** The pod template of one role, the same for a Deployment and for each part of a gang. */
export function renderPodTemplate(question: WorkloadQuestion, role: PodRole): Record<string, unknown> {
  const labels = { ...question.labels, [label.revision]: question.revision, [label.role]: role };
  return { metadata: { labels }, spec: podSpec(question, role) };
}

function podSpec(question: WorkloadQuestion, role: PodRole): Record<string, unknown> {
  return {
    ...(question.allocation === 'DRA'
      ? { resourceClaims: [{ name: claimName, resourceClaimTemplateName: claimTemplateName(question) }] }
      : {}),
    affinity: nodeAffinity(question),
    tolerations: tolerations(question),
    terminationGracePeriodSeconds: gracePeriodSeconds,
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    containers: [engineContainer(question, role)],
    volumes: [
      {
        name: 'shm',
        emptyDir: { medium: 'Memory', sizeLimit: formatBytes(sharedMemoryBytes(question.shape.acceleratorsPerNode)) },
      },
      { name: 'weights', emptyDir: { sizeLimit: formatBytes(weightsVolumeGib(question) * gib) } },
    ],
  };
}

/** Room for the files and for one more copy of the largest, which a download holds while it is renamed. */
function weightsVolumeGib({ weightBytes }: WorkloadQuestion): number {
  return Math.ceil((1.25 * weightBytes) / gib) + 5;
}

function engineContainer(question: WorkloadQuestion, role: PodRole): Record<string, unknown> {
  return {
    name: 'engine',
    image: question.engine.image,
    command: commands[question.engine.type],
    args: [...question.args, ...(isGang(question) ? gangArguments(question, role) : [])],
    env: environment(question),
    ports: [{ name: 'http', containerPort: enginePort, protocol: 'TCP' }],
    resources: podResources(question),
    // A worker serves nothing that could be asked; the leader answers for the gang.
    ...(role === 'leader' ? probes(question) : {}),
    lifecycle: { preStop: preStop(question.engine.type) },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    volumeMounts: [
      { name: 'shm', mountPath: '/dev/shm' },
      { name: 'weights', mountPath: '/weights' },
    ],
  };
}

function environment(question: WorkloadQuestion): readonly Record<string, unknown>[] {
  const { model, vendor } = question;
  const { hubTokenSecret } = model;
  return [
    { name: 'HF_HOME', value: '/weights' },
    ...(hubTokenSecret === undefined
      ? []
      : [{ name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: hubTokenSecret.name, key: hubTokenSecret.key } } }]),
    // Nine out-of-memory ends in four days were fragmentation; this is what ended them (L17, L18).
    ...(vendor === 'NVIDIA' ? [{ name: 'PYTORCH_CUDA_ALLOC_CONF', value: 'expandable_segments:True' }] : []),
    ...(isGang(question) ? gangEnvironment : []),
  ];
}

/** Tells whether a replica spreads over several nodes. */
export function isGang({ shape }: Pick<WorkloadQuestion, 'shape'>): boolean {
  return shape.nodes > 1;
}

/** What starts each engine; the arguments follow. */
const commands = { vLLM: ['vllm', 'serve'], SGLang: ['python3', '-m', 'sglang.launch_server'] } as const;

/** Each rank tells the others its own address, over the pod's one interface; SGLang has no variable for it. */
const gangEnvironment: readonly Record<string, unknown>[] = [
  { name: 'VLLM_HOST_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
  { name: 'NCCL_SOCKET_IFNAME', value: 'eth0' },
  { name: 'GLOO_SOCKET_IFNAME', value: 'eth0' },
];
