/**
 * The EKS node group of one node of a rung. Its name is a readable prefix and a hash of its identity and of the fields
 * that EKS cannot change (aws.md A3), so that no edit a person makes can rename it (L12, S2). Once it exists its
 * definition is read from what is observed and only size and memory change.
 */
import type { EksAccess } from '../hardware/hardware-class.ts';
import { replaceAt } from '../hardware/reservation.ts';
import { annotation, group, label, spotTaint } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { isRecord, readPath } from '../kubernetes/object.ts';
import { restoreRendered } from '../kubernetes/owned-fields.ts';
import { boundedName, hashedName, maxNameLength } from '../kubernetes/resource-name.ts';
import { type Candidate, rungName } from './candidate.ts';
import { needsLaunchTemplate, renderLaunchTemplate } from './launch-template.ts';

export interface ReplicaIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly deployment: string;
}

/** Value of the label that marks the nodes of one replica; namespace and name, bounded to 63 characters. */
export function replicaLabel(replica: Pick<ReplicaIdentity, 'namespace' | 'name'>): string {
  // A namespace has no dot, so no other namespace and name give the same text.
  const text = `${replica.namespace}.${replica.name}`;
  return text.length <= maxNameLength ? text : hashedName(text, text);
}

/** Capacity type of EKS: that of a reservation is on demand, but for a block, which is a market of its own. */
function capacityTypeOf({ market, reservation }: Candidate): string {
  if (reservation?.type === 'CapacityBlock') return 'CAPACITY_BLOCK';
  return market === 'Spot' ? 'SPOT' : 'ON_DEMAND';
}

/** GiB of the root volume: engine image, container layers and, without disks of the instance, the weights. */
const rootVolumeGib = 200;

/** The node groups of a new rung, one for each node, each of size one or (at first) zero; a pool that exists has none. */
export function renderNodeGroups(candidate: Candidate, replica: ReplicaIdentity): readonly KubernetesObject[] {
  const { eks } = candidate.cluster;
  const { amiType } = candidate.hardwareClass;
  if (candidate.market === 'Existing' || eks === undefined || amiType === undefined) return [];
  const groups: KubernetesObject[] = [];
  for (let node = 0; node < candidate.shape.nodes; node += 1)
    groups.push(renderNodeGroup({ candidate, replica, node, eks, amiType }));
  return groups;
}

/** The launch template of a new rung; undefined where its groups need none. */
export function renderTemplate(candidate: Candidate, replica: ReplicaIdentity): KubernetesObject | undefined {
  const { eks } = candidate.cluster;
  if (eks === undefined || !needsLaunchTemplate(candidate)) return undefined;
  return renderLaunchTemplate({ candidate, replica, eks, rootVolumeGib, tags: labelsOf(candidate, replica) });
}

/** What every node of a rung says of itself, and what its cost is allocated by. */
function labelsOf({ hardwareClass, market }: Candidate, replica: ReplicaIdentity): Record<string, string> {
  return {
    [label.node]: 'accelerator',
    [label.deployment]: boundedName(replica.deployment),
    [label.replica]: replicaLabel(replica),
    [label.class]: boundedName(hardwareClass.name),
    [label.market]: market,
  };
}

interface NodeOfRung {
  readonly candidate: Candidate;
  readonly replica: ReplicaIdentity;
  readonly node: number;
  readonly eks: EksAccess;
  readonly amiType: string;
}

function renderNodeGroup({ candidate, replica, node, eks, amiType }: NodeOfRung): KubernetesObject {
  const { cluster, hardwareClass } = candidate;
  const forceNew = {
    clusterName: eks.name,
    region: eks.region,
    nodeRoleArn: eks.nodeRoleArn,
    subnetIds: subnetsOf(eks, candidate.zone),
    capacityType: capacityTypeOf(candidate),
    amiType,
    ...launched(candidate, replica),
  };
  const rung = rungName(candidate);
  const identity = { cluster: cluster.name, namespace: replica.namespace, replica: replica.name, rung, node, forceNew };
  const name = hashedName(`${replica.name}-${hardwareClass.name}`, identity);
  const nodeLabels = labelsOf(candidate, replica);
  return {
    apiVersion: 'eks.aws.m.upbound.io/v1beta1',
    kind: 'NodeGroup',
    metadata: {
      name,
      labels: { [label.managedBy]: 'modelberth', ...nodeLabels },
      annotations: {
        [annotation.externalName]: name,
        [annotation.rung]: rung,
        [annotation.usdPerHour]: String(candidate.usdPerHour ?? ''),
        ...reservationMemory(candidate),
      },
    },
    spec: {
      forProvider: {
        ...forceNew,
        labels: nodeLabels,
        taint: taintsOf(candidate),
        tags: { ...nodeLabels, Name: name },
        updateConfig: { maxUnavailable: 1 },
        scalingConfig: scalingConfig(0),
      },
      providerConfigRef: { kind: 'ClusterProviderConfig', name: eks.providerConfigName },
    },
  };
}

/** What is launched: a size of the root volume is illegal beside a template, and a type beside one that states it (aws.md A3). */
function launched(candidate: Candidate, replica: ReplicaIdentity): Record<string, unknown> {
  const instanceTypes = candidate.nodeTypes.map((type) => type.instanceType);
  const template = renderTemplate(candidate, replica)?.metadata.name;
  if (template === undefined) return { instanceTypes, diskSize: rootVolumeGib };
  const types = candidate.reservation?.type === 'CapacityBlock' ? {} : { instanceTypes };
  return { ...types, launchTemplate: { name: template, version: '1' } };
}

/** When a reservation is left, and what it is of: a class that lists it no more changes neither. */
function reservationMemory({ reservation }: Candidate): Record<string, string> {
  if (reservation === undefined) return {};
  const from = replaceAt(reservation);
  const { instanceType } = reservation;
  return { [annotation.instanceType]: instanceType, ...(from === undefined ? {} : { [annotation.replaceAt]: from }) };
}

/** The subnets of one zone, or all of them. */
function subnetsOf({ subnets }: EksAccess, zone: string | undefined): readonly string[] {
  return subnets
    .filter((subnet) => zone === undefined || subnet.zone === zone)
    .map(({ id }) => id)
    .sort();
}

/** A node of the spot market leaves within two minutes: what was not rendered for that stays away from it. */
function taintsOf({ market }: Candidate): readonly Record<string, string>[] {
  const keys = [`${group}/accelerator`, ...(market === 'Spot' ? [spotTaint] : [])];
  return keys.map((key) => ({ key, value: 'true', effect: 'NO_SCHEDULE' }));
}

/** An observed group as we rendered it, with another size; nothing else of it changes. */
export function resizeNodeGroup(observed: KubernetesObject, size: 0 | 1): KubernetesObject {
  const rendered = restoreRendered(observed);
  const spec = isRecord(rendered.spec) ? rendered.spec : {};
  const forProvider = readPath(spec, ['forProvider']);
  return {
    ...rendered,
    spec: {
      ...spec,
      forProvider: { ...(isRecord(forProvider) ? forProvider : {}), scalingConfig: scalingConfig(size) },
    },
  };
}

/** Minimum equals desired so that no autoscaler can lower it (L14); EKS wants a maximum of at least one. */
function scalingConfig(size: 0 | 1): { minSize: number; desiredSize: number; maxSize: number } {
  return { minSize: size, desiredSize: size, maxSize: 1 };
}
