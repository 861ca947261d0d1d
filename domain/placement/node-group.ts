/**
 * The EKS node group of one node of a rung. Its name is a readable prefix and a hash of its identity and of the fields
 * that EKS cannot change (aws.md A3), so that no edit a person makes can rename it (L12, S2). Once it exists its
 * definition is read from what is observed and only size and memory change.
 */
import type { EksAccess } from '../hardware/hardware-class.ts';
import { annotation, group, label, spotTaint } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { isRecord, readPath } from '../kubernetes/object.ts';
import { restoreRendered } from '../kubernetes/owned-fields.ts';
import { boundedName, hashedName, maxNameLength } from '../kubernetes/resource-name.ts';
import { type Candidate, rungName } from './candidate.ts';

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

/** Capacity types of EKS by market. */
const capacityTypes = { OnDemand: 'ON_DEMAND', Spot: 'SPOT', Reservation: 'ON_DEMAND' } as const;

/** GiB of the root volume: engine image, container layers and the weights, for which a class has no NVMe field yet. */
const rootVolumeGib = 200;

/** The node groups of a new rung, one for each node, each of size one or (at first) zero; a pool that exists has none. */
export function renderNodeGroups(candidate: Candidate, replica: ReplicaIdentity): readonly KubernetesObject[] {
  const { eks } = candidate.cluster;
  const { amiType } = candidate.hardwareClass;
  if (candidate.market === 'Existing' || eks === undefined || amiType === undefined) return [];
  const groups: KubernetesObject[] = [];
  for (let node = 0; node < candidate.shape.nodes; node += 1)
    groups.push(
      renderNodeGroup({ candidate, replica, node, eks, amiType, capacityType: capacityTypes[candidate.market] }),
    );
  return groups;
}

interface NodeOfRung {
  readonly candidate: Candidate;
  readonly replica: ReplicaIdentity;
  readonly node: number;
  readonly eks: EksAccess;
  readonly amiType: string;
  readonly capacityType: string;
}

function renderNodeGroup({ candidate, replica, node, eks, amiType, capacityType }: NodeOfRung): KubernetesObject {
  const { cluster, hardwareClass } = candidate;
  const forceNew = {
    clusterName: eks.name,
    region: eks.region,
    nodeRoleArn: eks.nodeRoleArn,
    subnetIds: subnetsOf(eks, candidate.zone),
    instanceTypes: candidate.nodeTypes.map((type) => type.instanceType),
    capacityType,
    amiType,
    diskSize: rootVolumeGib,
  };
  const rung = rungName(candidate);
  const identity = { cluster: cluster.name, namespace: replica.namespace, replica: replica.name, rung, node, forceNew };
  const name = hashedName(`${replica.name}-${hardwareClass.name}`, identity);
  const nodeLabels = {
    [label.node]: 'accelerator',
    [label.deployment]: boundedName(replica.deployment),
    [label.replica]: replicaLabel(replica),
    [label.class]: boundedName(hardwareClass.name),
    [label.market]: candidate.market,
  };
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
