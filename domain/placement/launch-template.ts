/**
 * The EC2 launch template of a rung: what an EKS node group cannot say itself. It is made with the rung and never
 * changes, for another version would roll the node (S2): its name is a hash of what is in it, and the group names
 * version 1. No network interface is stated, so that none is of the type EFA: pipeline parallelism needs none.
 */
import type { EksAccess } from '../hardware/hardware-class.ts';
import { label } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { hashedName } from '../kubernetes/resource-name.ts';
import type { Candidate } from './candidate.ts';
import type { ReplicaIdentity } from './node-group.ts';

export const launchTemplateKind = { apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'LaunchTemplate' } as const;

/** Tells whether a rung needs one: a reservation can be named nowhere else, nor the disks of the node. */
export function needsLaunchTemplate({ market, hardwareClass }: Pick<Candidate, 'market' | 'hardwareClass'>): boolean {
  return market === 'Reservation' || (market !== 'Existing' && hardwareClass.localStorage === 'RAID0');
}

export interface TemplateQuestion {
  readonly candidate: Candidate;
  readonly replica: ReplicaIdentity;
  readonly eks: EksAccess;
  readonly rootVolumeGib: number;
  /** Tags of instances and volumes, by which AWS allocates their cost: those of a node group stay on the group. */
  readonly tags: Readonly<Record<string, string>>;
}

/** The launch template of a rung, the same for each of its groups. */
export function renderLaunchTemplate({
  candidate,
  replica,
  eks,
  rootVolumeGib,
  tags,
}: TemplateQuestion): KubernetesObject {
  const { hardwareClass, reservation, cluster } = candidate;
  const content = {
    region: eks.region,
    ...(reservation === undefined ? {} : reservedInstances(reservation)),
    blockDeviceMappings: [
      { deviceName: '/dev/xvda', ebs: { volumeSize: rootVolumeGib, volumeType: 'gp3', deleteOnTermination: 'true' } },
    ],
    tagSpecifications: ['instance', 'volume'].map((resourceType) => ({ resourceType, tags })),
    ...userData(candidate),
  };
  const identity = { cluster: cluster.name, namespace: replica.namespace, replica: replica.name, content };
  const name = hashedName(`${replica.name}-${hardwareClass.name}`, identity);
  return {
    ...launchTemplateKind,
    metadata: { name, labels: { [label.managedBy]: 'modelberth', ...tags } },
    spec: {
      forProvider: { name, ...content, tags },
      providerConfigRef: { kind: 'ClusterProviderConfig', name: eks.providerConfigName },
    },
  };
}

/** A target has no fallback: what is not in the reservation is not launched. A block wants its type and market too (aws.md A3). */
function reservedInstances({ id, type, instanceType }: NonNullable<Candidate['reservation']>): Record<string, unknown> {
  const target = { capacityReservationSpecification: { capacityReservationTarget: { capacityReservationId: id } } };
  if (type === 'CapacityReservation') return target;
  return { ...target, instanceType, instanceMarketOptions: { marketType: 'capacity-block' } };
}

/**
 * AL2023 reads its node configuration from here and EKS adds the cluster to it; other images read something else. Logs
 * outlive a crash that repeats itself: the kubelet keeps 5 files of 10 MiB by default (aws.md F6, read 2026-12-01).
 */
function userData({ hardwareClass }: Candidate): Record<string, string> {
  if (hardwareClass.amiType?.startsWith('AL2023') !== true) return {};
  const disks =
    hardwareClass.localStorage === 'RAID0' ? ['  instance:', '    localStorage:', '      strategy: RAID0'] : [];
  const lines = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="//"',
    '',
    '--//',
    'Content-Type: application/node.eks.aws',
    '',
    'apiVersion: node.eks.aws/v1alpha1',
    'kind: NodeConfig',
    'spec:',
    '  kubelet:',
    '    config:',
    '      containerLogMaxSize: 50Mi',
    '      containerLogMaxFiles: 10',
    ...disks,
    '',
    '--//--',
    '',
  ];
  return { userData: btoa(lines.join('\n')) };
}
