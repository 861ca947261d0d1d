/**
 * What `crossplane composition render` accepts and a real core does not, or what would quietly test nothing: objects
 * that a namespaced XR may not compose, a kind that changes under its key, and observed files that core would ignore.
 */
import type { RenderEvent } from '../../cli/crossplane/render-output.ts';
import { compositionResourceName, group } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';

/** Kinds without a namespace, by API group, that a Composition could emit or a case could hold. */
const clusterScopedKinds: Readonly<Record<string, readonly string[]>> = {
  '': ['Namespace', 'Node', 'PersistentVolume'],
  'admissionregistration.k8s.io': ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  'apiextensions.crossplane.io': ['CompositeResourceDefinition', 'Composition'],
  'cert-manager.io': ['ClusterIssuer'],
  'gateway.networking.k8s.io': ['GatewayClass'],
  [group]: ['InferenceClass', 'InferenceCluster', 'InferenceGateway'],
  'pkg.crossplane.io': ['Configuration', 'DeploymentRuntimeConfig', 'Function', 'ImageConfig'],
  'protection.crossplane.io': ['ClusterUsage'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding'],
  'resource.k8s.io': ['DeviceClass', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
  'storage.k8s.io': ['StorageClass'],
};

export interface Rendered {
  readonly xr: KubernetesObject;
  readonly observed: readonly KubernetesObject[];
  readonly composed: readonly KubernetesObject[];
  readonly events: readonly RenderEvent[];
}

/** Tells whether objects of a kind have no namespace. */
export function isClusterScoped({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean {
  const apiGroup = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return clusterScopedKinds[apiGroup]?.includes(kind) === true;
}

/** Every fault of a render and of the observed objects that it started from; empty when there is none. */
export function lintRendered({ xr, observed, composed, events }: Rendered): readonly string[] {
  return [
    ...observed.flatMap((object) => lintObserved(xr, object)),
    ...composed.flatMap((object) => [...lintScope(xr, object), ...lintKind(observed, object)]),
    ...events
      .filter(({ reason }) => reason === 'NamespaceOverridden')
      .map(({ message }) => `${message}; leave the namespace out`),
  ];
}

function lintObserved(xr: KubernetesObject, object: KubernetesObject): string[] {
  const { annotations, namespace, ownerReferences = [] } = object.metadata;
  const faults: string[] = [];
  if (annotations?.[compositionResourceName] === undefined) {
    faults.push(`add the annotation ${compositionResourceName}: core does not know which resource it is`);
  }
  const owner = ownerReferences.find(({ controller }) => controller === true);
  if (owner === undefined || owner.uid !== xr.metadata.uid) {
    faults.push(
      `add an owner reference with controller true and the uid of the ${xr.kind}: core would never delete it`,
    );
  }
  if (xr.metadata.namespace !== undefined && namespace !== xr.metadata.namespace) {
    faults.push(`put it into namespace "${xr.metadata.namespace}": found "${namespace ?? ''}"`);
  }
  return faults.map((fault) => `Observed ${nameOf(object)}: ${fault}`);
}

function lintScope(xr: KubernetesObject, object: KubernetesObject): string[] {
  const { namespace } = object.metadata;
  const own = xr.metadata.namespace;
  if (own === undefined) {
    const homeless = !isClusterScoped(object) && namespace === undefined;
    return homeless ? [`Composed ${nameOf(object)}: set a namespace, the ${xr.kind} has none`] : [];
  }
  if (isClusterScoped(object)) {
    return [`Composed ${nameOf(object)}: it has no namespace, so a ${xr.kind}, which has one, may not own it`];
  }
  if (namespace === undefined || namespace === own) return [];
  return [`Composed ${nameOf(object)}: namespace "${namespace}" is not that of the ${xr.kind}, "${own}"`];
}

function lintKind(observed: readonly KubernetesObject[], object: KubernetesObject): string[] {
  const key = object.metadata.annotations?.[compositionResourceName];
  const before = observed.find(({ metadata }) => metadata.annotations?.[compositionResourceName] === key);
  if (key === undefined || before === undefined || kindOf(before) === kindOf(object)) return [];
  return [`Composed ${nameOf(object)}: key "${key}" was a ${before.kind}, which core would orphan; use another key`];
}

/** Group and kind: a change of version alone is the same object. */
function kindOf({ apiVersion, kind }: KubernetesObject): string {
  return `${apiVersion.replace(/\/?[^/]*$/, '')}/${kind}`;
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} "${metadata.name ?? ''}"`;
}
