/**
 * The fields of a pod that an overlay may have, and those that Modelberth owns with the field of the claim that is for
 * them (PodSpec and Container of Kubernetes 1.34, read 2026-12-02). A field that is in neither list is no field of a pod.
 */

const pool = 'the ladder chooses the nodes: use spec.placement';
const shape = 'accelerators, CPU and memory follow from the shape: use spec.placement and spec.load';
const probe = 'probes follow from the weights and decide whether requests come';
const lifecycle = 'how a pod ends decides whether streams are cut: use spec.rollout';
const security = 'use spec.pod.user and spec.pod.rootFilesystem';
const beyond = 'a pod may not reach past itself onto the node';

export interface FieldTable {
  readonly free: readonly string[];
  /** Owned fields, each with what is for it. */
  readonly owned: Readonly<Record<string, string>>;
}

export const podFields: FieldTable = {
  free: [
    'affinity',
    'automountServiceAccountToken',
    'containers',
    'dnsConfig',
    'dnsPolicy',
    'enableServiceLinks',
    'hostAliases',
    'initContainers',
    'preemptionPolicy',
    'priorityClassName',
    'readinessGates',
    'runtimeClassName',
    'schedulerName',
    'serviceAccountName',
    'shareProcessNamespace',
    'tolerations',
    'topologySpreadConstraints',
    'volumes',
  ],
  owned: {
    activeDeadlineSeconds: lifecycle,
    ephemeralContainers: 'they are added to a pod that runs',
    hostIPC: beyond,
    hostNetwork: beyond,
    hostPID: beyond,
    hostUsers: security,
    hostname: 'the ranks of a gang meet by it',
    imagePullSecrets: 'use spec.engine.imagePullSecrets',
    nodeName: pool,
    nodeSelector: pool,
    os: pool,
    overhead: shape,
    priority: 'use priorityClassName',
    resourceClaims: shape,
    resources: shape,
    restartPolicy: lifecycle,
    schedulingGates: 'a pod that is gated never starts by itself',
    securityContext: security,
    serviceAccount: 'use serviceAccountName',
    setHostnameAsFQDN: 'the ranks of a gang meet by it',
    subdomain: 'the ranks of a gang meet by it',
    terminationGracePeriodSeconds: 'use spec.rollout.longestStreamSeconds',
  },
};

/** Of the container that serves. */
export const engineFields: FieldTable = {
  free: ['envFrom', 'imagePullPolicy', 'name', 'ports', 'volumeDevices', 'volumeMounts', 'workingDir'],
  owned: {
    args: 'use spec.engine.args',
    command: 'use spec.engine.type',
    env: 'use spec.engine.env',
    image: 'use spec.engine.image',
    lifecycle,
    livenessProbe: probe,
    readinessProbe: probe,
    resizePolicy: shape,
    resources: shape,
    restartPolicy: lifecycle,
    restartPolicyRules: lifecycle,
    securityContext: security,
    startupProbe: probe,
    stdin: 'nobody types to an engine',
    stdinOnce: 'nobody types to an engine',
    terminationMessagePath: 'the last words of a crash are read from it',
    terminationMessagePolicy: 'the last words of a crash are read by it',
    tty: 'nobody types to an engine',
  },
};

/** Of a container beside the engine. */
export const otherFields: FieldTable = {
  free: [...engineFields.free, ...Object.keys(engineFields.owned)],
  owned: {},
};
