/**
 * What a cluster lacks for what is claimed on it, from objects alone: the stack that its InferenceCluster publishes, the
 * objects that claims name, the quota of node groups, the rights of Crossplane, and releases that differ.
 */
import {
  isRecord,
  type KubernetesObject,
  readList,
  readNumber,
  readPath,
  readString,
} from '../../domain/kubernetes/object.ts';

/** One thing that is missing or wrong, and the command that mends it. */
export interface Lack {
  /** The object or the part that it is about. */
  readonly subject: string;
  readonly found: string;
  readonly command: string;
  /** Without it something that is claimed does not work; else it is worth a look. */
  readonly isNeeded: boolean;
}

/** Every lack of what is there, in the order in which one mends them: rights, packages, stack, objects, quota. */
export function findLacks(objects: readonly KubernetesObject[]): readonly Lack[] {
  const clusters = ofKind(objects, 'InferenceCluster');
  return [
    ...objects.flatMap(findMissingRight),
    ...findSkew(objects),
    ...clusters.flatMap(findMissingParts),
    ...findMissingNames(objects),
    ...clusters.flatMap((cluster) => findFullQuota(cluster, objects)),
  ];
}

function ofKind(objects: readonly KubernetesObject[], kind: string): readonly KubernetesObject[] {
  return objects.filter((object) => object.kind === kind);
}

function conditionsOf(object: KubernetesObject): readonly Record<string, unknown>[] {
  return readList(object, ['status', 'conditions']).filter(isRecord);
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} "${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? ''}"`;
}

/** Crossplane says of a kind that it may not read no more than that its informer does not come up. */
function findMissingRight(object: KubernetesObject): Lack[] {
  const unsynced = conditionsOf(object).find(
    ({ type, status, message }) =>
      type === 'Synced' && status === 'False' && /Informer to sync|is forbidden/.test(String(message)),
  );
  if (unsynced === undefined) return [];
  const found = `Crossplane may not read or write a kind: ${unsynced.message}`;
  return [{ subject: nameOf(object), found, command: 'kubectl apply -f package/rbac/crossplane.yaml', isNeeded: true }];
}

/** Packages of Modelberth in more than one version. */
function findSkew(objects: readonly KubernetesObject[]): Lack[] {
  const packages = objects.filter(({ kind, apiVersion, spec }) => {
    const isPackage = apiVersion.startsWith('pkg.crossplane.io/') && ['Configuration', 'Function'].includes(kind);
    return isPackage && /(^|\/)modelberth\//.test(readString(spec, ['package']) ?? '');
  });
  const versions = packages.map(({ spec }) => (readString(spec, ['package']) ?? '').split(':').at(-1) ?? '');
  const [newest] = [...new Set(versions)].sort().reverse();
  if (newest === undefined) return [];
  return packages.flatMap((item, index) => {
    if (versions[index] === newest) return [];
    const place = (readString(item.spec, ['package']) ?? '').replace(/:[^:/]*$/, `:${newest}`);
    const patch = `'{"spec":{"package":"${place}"}}'`;
    const command = `kubectl patch ${item.kind.toLowerCase()}.pkg.crossplane.io ${item.metadata.name} --type merge -p ${patch}`;
    return [{ subject: nameOf(item), found: `release ${versions[index]}, others ${newest}`, command, isNeeded: true }];
  });
}

/** The parts that the InferenceCluster has looked for; one that was not looked at yet is said so. */
function findMissingParts(cluster: KubernetesObject): Lack[] {
  const parts = readList(cluster, ['status', 'parts']).filter(isRecord);
  const subject = nameOf(cluster);
  if (parts.length === 0) {
    const command = `kubectl describe inferencecluster ${cluster.metadata.name}`;
    return [{ subject, found: 'nothing is known of its parts yet', command, isNeeded: true }];
  }
  return parts.flatMap((part) => {
    if (part.state === 'Installed') return [];
    const { name, version, found, fix, without } = part;
    const seen = [version, found].filter((text) => typeof text === 'string').join(', ');
    const state = `${name}: ${String(part.state).toLowerCase()}${seen === '' ? '' : ` (${seen})`}`;
    const lost = typeof without === 'string' ? `; without it ${without}` : '';
    const command = installCommands[String(name)] ?? `# ${fix ?? 'see the InferenceCluster'}`;
    return [
      { subject, found: `${state}${lost}`, command, isNeeded: without === undefined && part.state !== 'Unknown' },
    ];
  });
}

/** How each part is installed as its own project documents it; none of these was run here. */
const installCommands: Readonly<Record<string, string>> = {
  AIGateway:
    'helm upgrade -i aieg oci://docker.io/envoyproxy/ai-gateway-helm --version v1.0.0 -n envoy-ai-gateway-system --create-namespace',
  AWSLoadBalancerController:
    'helm upgrade -i aws-load-balancer-controller aws-load-balancer-controller --repo https://aws.github.io/eks-charts -n kube-system --set clusterName=CLUSTER',
  CertManager:
    'helm upgrade -i cert-manager oci://quay.io/jetstack/charts/cert-manager -n cert-manager --create-namespace --set crds.enabled=true',
  EnvoyGateway:
    'helm upgrade -i eg oci://docker.io/envoyproxy/gateway-helm --version v1.9.1 -n envoy-gateway-system --create-namespace',
  LeaderWorkerSet:
    'helm upgrade -i lws oci://registry.k8s.io/lws/charts/lws --version 0.8.0 -n lws-system --create-namespace',
  ProviderAWS: 'kubectl apply -f package/activation.yaml',
};

/** What claims name and is not there; a dump without any object of a kind proves nothing about it. */
function findMissingNames(objects: readonly KubernetesObject[]): Lack[] {
  const named = ofKind(objects, 'ModelDeployment').flatMap((claim) =>
    readList(claim, ['spec', 'placement', 'classes']).map((name) => ({ claim, kind: 'InferenceClass', name })),
  );
  const gateways = ofKind(objects, 'ModelService').map((claim) => {
    return { claim, kind: 'InferenceGateway', name: readPath(claim, ['spec', 'gatewayName']) };
  });
  return [...named, ...gateways].flatMap(({ claim, kind, name }) => {
    const there = ofKind(objects, kind).map(({ metadata }) => metadata.name);
    if (typeof name !== 'string' || there.includes(name)) return [];
    const found = `names ${kind} "${name}", which is not there; there are: ${there.sort().join(', ') || 'none'}`;
    return [{ subject: nameOf(claim), found, command: `kubectl get ${kind.toLowerCase()}`, isNeeded: true }];
  });
}

function findFullQuota(cluster: KubernetesObject, objects: readonly KubernetesObject[]): Lack[] {
  const most = readNumber(cluster, ['spec', 'maxNodeGroups']);
  const name = readString(cluster, ['spec', 'eks', 'name']);
  const groups = ofKind(objects, 'NodeGroup').filter(
    ({ spec }) => readString(spec, ['forProvider', 'clusterName']) === name,
  );
  if (most === undefined || groups.length < most) return [];
  const found = `${groups.length} node groups of at most ${most}: no other one can be asked for; EKS has a quota of its own`;
  const patch = JSON.stringify({ spec: { maxNodeGroups: most + 10 } });
  const command = `kubectl patch inferencecluster ${cluster.metadata.name} --type merge -p '${patch}'`;
  return [{ subject: nameOf(cluster), found, command, isNeeded: true }];
}
