/**
 * What Envoy AI Gateway makes of an AIGatewayRoute: an HTTPRoute of the same name whose rules name the Backends behind
 * its AIServiceBackends (1.0.0, read 2026-12-01); and what Kubernetes makes of the Service of a replica: an
 * EndpointSlice with the pods that it selects.
 */
import { label } from '../../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readPath, readString } from '../../../domain/kubernetes/object.ts';
import { compareText, identityOf, type World } from '../../crossplane/world.ts';
import { contains } from '../contains.ts';
import { accept } from './accept.ts';

/** HTTPRoutes as they are once the AI gateway has seen every route that was applied. */
export function reactRoutes(before: World, after: World): World {
  const next = new Map(after);
  for (const [identity, route] of after) {
    if (route.kind !== 'AIGatewayRoute' || before.get(identity) === route) continue;
    const { name = '', namespace = '' } = route.metadata;
    const key = ['gateway.networking.k8s.io/v1', 'HTTPRoute', namespace, name].join('|');
    next.set(key, generateRoute(next, route, next.get(key)));
  }
  return next;
}

function generateRoute(world: World, route: KubernetesObject, former: KubernetesObject | undefined): KubernetesObject {
  const rules = readList(route, ['spec', 'rules']).map((rule) => ({
    backendRefs: readList(rule, ['backendRefs'])
      .filter(isRecord)
      .map((ref) => backendOf(world, route, ref)),
  }));
  const spec = { parentRefs: readPath(route, ['spec', 'parentRefs']), rules };
  const { name, namespace } = route.metadata;
  const metadata = former?.metadata ?? { name: name ?? '', namespace: namespace ?? '' };
  const generation = (former?.metadata.generation ?? 0) + (contains(former?.spec, spec) ? 0 : 1);
  const kind = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute' };
  const object = { ...kind, metadata: { ...metadata, generation }, spec, status: former?.status };
  return accept(object, 'Accepted', 'ResolvedRefs');
}

function backendOf(world: World, { metadata }: KubernetesObject, ref: Readonly<Record<string, unknown>>) {
  const found = [...world.values()].find(
    (object) =>
      object.kind === 'AIServiceBackend' &&
      object.metadata.namespace === metadata.namespace &&
      object.metadata.name === ref.name,
  );
  const name = readString(found, ['spec', 'backendRef', 'name']) ?? String(ref.name);
  return { group: 'gateway.envoyproxy.io', kind: 'Backend', name, weight: ref.weight ?? 1 };
}

/** EndpointSlices as they are once Kubernetes has seen every Service and pod. */
export function reactEndpoints(after: World): World {
  const next = new Map(after);
  const slices = [...after.values()].filter(({ kind }) => kind === 'EndpointSlice');
  for (const service of after.values()) {
    if (service.kind !== 'Service' || service.metadata.labels?.[label.replica] === undefined) continue;
    const { name = '', namespace = '', labels = {} } = service.metadata;
    const own = slices.filter(
      ({ metadata }) => metadata.namespace === namespace && metadata.labels?.['kubernetes.io/service-name'] === name,
    );
    const ready = selectedPods(after, service);
    if (own.length > 0 && own.some(hasEndpoint) === ready.length > 0) continue;
    for (const slice of own) next.delete(identityOf(slice));
    const slice = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: `${name}-planned`, namespace, labels: { ...labels, 'kubernetes.io/service-name': name } },
      endpoints: ready.map((_pod, index) => ({ addresses: [`192.0.2.${index + 1}`], conditions: { ready: true } })),
    };
    next.set(identityOf(slice), slice);
  }
  return next;
}

function hasEndpoint(slice: KubernetesObject): boolean {
  return readList(slice, ['endpoints']).some((endpoint) => readPath(endpoint, ['conditions', 'ready']) !== false);
}

function selectedPods(world: World, service: KubernetesObject): readonly KubernetesObject[] {
  const selector = readPath(service, ['spec', 'selector']);
  if (!isRecord(selector) || Object.keys(selector).length === 0) return [];
  const pods = [...world.values()].filter(
    (pod) =>
      pod.kind === 'Pod' &&
      pod.metadata.namespace === service.metadata.namespace &&
      contains(pod.metadata.labels, selector) &&
      readList(pod, ['status', 'conditions'])
        .filter(isRecord)
        .some(({ type, status }) => type === 'Ready' && status === 'True'),
  );
  return pods.sort((left, right) => compareText(left.metadata.name ?? '', right.metadata.name ?? ''));
}
