/**
 * The Job that tries a revision. Its exit code is the verdict, one for each case, and its condition carries it to any
 * cluster. It has no time to live: while it is desired it would be made again and run for ever (S7).
 */
import { label } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { hashedName } from '../kubernetes/resource-name.ts';
import type { Protocol } from './ask.ts';
import type { CaseName } from './cases/built-in-cases.ts';
import { failingExitCodes } from './exit-code.ts';

export interface CheckQuestion {
  readonly replica: string;
  /** Labels of everything of the replica. */
  readonly labels: Readonly<Record<string, string>>;
  /** Selects the pods of the replica. */
  readonly selector: Readonly<Record<string, string>>;
  readonly revision: string;
  readonly image: string;
  readonly pullSecrets: readonly string[];
  /** The model as the engine names it. */
  readonly servedName: string;
  readonly port: number;
  readonly protocols: readonly Protocol[];
  readonly cases: readonly CaseName[];
  readonly tries: number;
  readonly leastPassShare: number;
  readonly contextTokens: number;
  readonly outputTokens: number;
  readonly parallel: number;
  readonly deadlineMinutes: number;
}

const container = 'check';
/** Names of the Service, the policy and the check of a replica. */
function nameOf(replica: string, part: string): string {
  return hashedName(`m-${replica}-${part}`, { replica, part });
}

/** The Job of a revision. */
export function renderJob(question: CheckQuestion): KubernetesObject {
  const { replica, labels, revision, deadlineMinutes } = question;
  const own = { ...labels, [label.revision]: revision };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: nameOf(replica, `check-${revision}`), labels: own },
    spec: {
      backoffLimit: 3,
      activeDeadlineSeconds: deadlineMinutes * 60,
      podFailurePolicy: {
        rules: [
          {
            action: 'FailJob',
            onExitCodes: { containerName: container, operator: 'In', values: [...failingExitCodes] },
          },
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        ],
      },
      template: { metadata: { labels: checkLabels(question) }, spec: podSpec(question) },
    },
  };
}

/** Never the label of the replica itself: the pods of a check are none of its engine. */
function checkLabels({ labels, selector, revision }: CheckQuestion): Record<string, string> {
  const { [label.replica]: replica = '', ...others } = labels;
  return { ...others, [label.revision]: revision, [label.check]: selector[label.replica] ?? replica };
}

function podSpec(question: CheckQuestion): Record<string, unknown> {
  const { image, pullSecrets } = question;
  return {
    restartPolicy: 'Never',
    affinity: awayFromAccelerators,
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    ...(pullSecrets.length === 0 ? {} : { imagePullSecrets: pullSecrets.map((name) => ({ name })) }),
    containers: [
      {
        name: container,
        image,
        command: ['/usr/bin/node', '/app/main.mjs', 'conform'],
        args: argumentsOf(question),
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  };
}

/** It needs no accelerator: nodes that have one are taken last, and a taint on them keeps it off. */
const awayFromAccelerators = {
  nodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [label.node, 'nvidia.com/gpu.present'].map((key) => ({
      weight: 100,
      preference: { matchExpressions: [{ key, operator: 'DoesNotExist' }] },
    })),
  },
};

function argumentsOf(question: CheckQuestion): readonly string[] {
  const { replica, port, servedName, protocols, cases, tries, leastPassShare } = question;
  return [
    `--url=http://${nameOf(replica, 'check')}:${port}`,
    `--model=${servedName}`,
    ...protocols.map((protocol) => `--protocol=${protocol}`),
    ...cases.map((name) => `--case=${name}`),
    `--tries=${tries}`,
    `--least-pass-share=${leastPassShare}`,
    `--context=${question.contextTokens}`,
    `--most-output=${question.outputTokens}`,
    `--parallel=${question.parallel}`,
  ];
}

/** The Service by which the check reaches the engine while callers do not. */
export function renderCheckService({ replica, labels, selector, port }: CheckQuestion): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: nameOf(replica, 'check'), labels },
    spec: {
      clusterIP: 'None',
      selector: { ...selector, [label.role]: 'leader' },
      ports: [{ name: 'http', port, targetPort: 'http', protocol: 'TCP' }],
    },
  };
}

/** Admits the check to the engine, beside what the policy of the replica admits (L31). */
export function renderCheckPolicy(question: CheckQuestion): KubernetesObject {
  const { replica, labels, selector } = question;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: nameOf(replica, 'check'), labels },
    spec: {
      podSelector: { matchLabels: selector },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: { [label.check]: selector[label.replica] ?? '' } } }],
          ports: [{ port: 'http', protocol: 'TCP' }],
        },
      ],
    },
  };
}
