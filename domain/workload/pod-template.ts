import { enginePort } from '../engine/engine-port.ts';
import { gangArguments } from '../engine/list-arguments.ts';
import { sharedMemoryBytes } from '../fit/terms/host.ts';
import { label } from '../kubernetes/label.ts';
import { formatBytes } from '../units/bytes.ts';
import { claimTemplateName } from './claim-template.ts';
import { gracePeriodSeconds, preStop } from './drain.ts';
import { environment } from './environment.ts';
import { isGang } from './gang.ts';
import { mergeOverlay } from './merge-overlay.ts';
import { nodeAffinity, tolerations } from './node-affinity.ts';
import { claimName, podResources } from './pod-resources.ts';
import { probes } from './probes.ts';
import { containerSecurity, podSecurity, writableMounts, writableVolumes } from './security.ts';
import { userMounts, userVolumes } from './user-volumes.ts';
import { weightsMount, weightsVolume } from './weights-volume.ts';
import type { WorkloadQuestion } from './workload-question.ts';

/** What a pod does within its replica. A pod alone is a leader. */
export type PodRole = 'leader' | 'worker';

/** The pod template of one role, the same for a Deployment and for each part of a gang. */
export function renderPodTemplate(question: WorkloadQuestion, role: PodRole): Record<string, unknown> {
  const labels = { ...question.labels, [label.revision]: question.revision, [label.role]: role };
  return mergeOverlay({ metadata: { labels }, spec: podSpec(question, role) }, question.pod?.overlay ?? {});
}

function podSpec(question: WorkloadQuestion, role: PodRole): Record<string, unknown> {
  return {
    ...(question.allocation === 'DRA'
      ? { resourceClaims: [{ name: claimName, resourceClaimTemplateName: claimTemplateName(question) }] }
      : {}),
    affinity: nodeAffinity(question),
    tolerations: tolerations(question),
    terminationGracePeriodSeconds: gracePeriodSeconds(question.drain),
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    securityContext: podSecurity(question),
    ...pullSecrets(question),
    containers: [engineContainer(question, role)],
    volumes: [
      {
        name: 'shm',
        emptyDir: { medium: 'Memory', sizeLimit: formatBytes(sharedMemoryBytes(question.shape.acceleratorsPerNode)) },
      },
      weightsVolume(question),
      ...writableVolumes(question),
      ...userVolumes(question.pod),
    ],
  };
}

function pullSecrets({ engine }: WorkloadQuestion): Record<string, unknown> {
  const { imagePullSecrets = [] } = engine;
  return imagePullSecrets.length === 0 ? {} : { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) };
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
    lifecycle: { preStop: preStop(question.engine.type, question.drain) },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: containerSecurity(question),
    volumeMounts: [
      { name: 'shm', mountPath: '/dev/shm' },
      weightsMount(question),
      ...writableMounts(question),
      ...userMounts(question.pod),
    ],
  };
}

/** What starts each engine; the arguments follow. */
const commands = { vLLM: ['vllm', 'serve'], SGLang: ['python3', '-m', 'sglang.launch_server'] } as const;
