/**
 * The ModelService of the hello example, with any number of replicas. What it observes is what the gateway step itself
 * composes for them, accepted by every controller.
 */
import { keyOf } from '../cli/crossplane/reconcile-composite.ts';
import { gatewayObjectName } from '../domain/gateway/gateway-facts.ts';
import { serviceKey } from '../domain/gateway/routes/service-facts.ts';
import { label } from '../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readString } from '../domain/kubernetes/object.ts';
import { asStored } from './bench-as-stored.ts';
import { runPass } from './bench-pass.ts';
import { firstOf, readGoldenCase, readScenery, type Scene } from './bench-scene.ts';

/**
 * A service of one replica that speaks OpenAI only and says no more than where it answers; no controller has accepted
 * what was composed: of all passes that change nothing any more, the one with the smallest request.
 */
export async function youngService(): Promise<Scene> {
  const scene = serviceOf(readyReplicas(1).map(terse));
  const { composed } = (await runPass(scene, 'gateway')).output;
  return { ...scene, observed: composed, required: scene.required.filter(({ kind }) => kind !== 'Gateway') };
}

/** A service whose `growth` replicas are routed, everything as the API server returns it. */
export async function routedService(growth: number): Promise<Scene> {
  const scene = serviceOf(readyReplicas(Math.max(1, growth)));
  const { composed } = (await runPass(scene, 'gateway')).output;
  const accepted = composed.map((object) => ({ ...object, status: { conditions: [fulfilled('Accepted')] } }));
  return {
    xr: asStored(scene.xr, 'kubectl'),
    observed: accepted.map((object) => asStored(object)),
    required: [...scene.required, httpRouteOf(composed)].map((object) => asStored(object, 'controller')),
  };
}

/** The service before anything is composed for it. */
function serviceOf(replicas: readonly KubernetesObject[]): Scene {
  const example = readScenery('examples/hello');
  const gateway = firstOf(example, 'InferenceGateway');
  const features = { AIGateway: true, EnvoyGateway: true, GatewayAPI: true };
  const platform = [{ ...gateway, status: { features } }, programmedGateway(gateway)];
  return {
    xr: firstOf(example, 'ModelService'),
    observed: [],
    required: [...platform, ...replicas, ...replicas.map(endpointSlice)],
  };
}

function fulfilled(type: string) {
  const when = { lastTransitionTime: '2026-12-01T11:58:00Z', observedGeneration: 1 };
  return { type, status: 'True', reason: type, message: `The object is ${type.toLowerCase()}`, ...when };
}

function programmedGateway(gateway: KubernetesObject): KubernetesObject {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: gatewayObjectName(gateway.metadata.name ?? ''), namespace: 'modelberth-gateway' },
    status: { conditions: [fulfilled('Accepted'), fulfilled('Programmed')] },
  };
}

const ready = fulfilled('EngineReady');

/** The replica of the golden case under so many indices, as its last step left it: the engine answers. */
function readyReplicas(count: number): readonly KubernetesObject[] {
  const golden = JSON.stringify(readGoldenCase('replica/7-engine-ready').xr);
  return Array.from({ length: count }, (_, number) => {
    const xr: KubernetesObject = JSON.parse(golden.replaceAll('llama-0', `llama-${number}`));
    const status = isRecord(xr.status) ? xr.status : {};
    return { ...xr, status: { ...status, conditions: [...readList(status, ['conditions']), ready] } };
  });
}

function terse(replica: KubernetesObject): KubernetesObject {
  const service = replica.metadata.name;
  return {
    ...replica,
    status: { engine: { endpoint: { service, port: 8000, protocols: ['OpenAI'] } }, conditions: [ready] },
  };
}

function endpointSlice({ metadata }: KubernetesObject, number: number): KubernetesObject {
  const { name = '', namespace = '' } = metadata;
  const labels = { ...metadata.labels, 'kubernetes.io/service-name': name, [label.replica]: `${namespace}-${name}` };
  const conditions = { ready: true, serving: true, terminating: false };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-x2x7q`, namespace, labels },
    addressType: 'IPv4',
    endpoints: [{ addresses: [`10.0.1.${number}`], conditions, targetRef: { kind: 'Pod', name }, zone: 'eu-west-1b' }],
    ports: [{ name: 'http', port: 8000, protocol: 'TCP' }],
  };
}

/** The HTTPRoute that the AI gateway generates from the route: the same weights, on the Backends themselves. */
function httpRouteOf(composed: readonly KubernetesObject[]): KubernetesObject {
  const backends = new Map(
    composed.map((object) => [object.metadata.name ?? '', readString(object, ['spec', 'backendRef', 'name'])]),
  );
  const route = composed.find((object) => keyOf(object) === serviceKey.route);
  const rules = readList(route, ['spec', 'rules']).filter(isRecord);
  const { name = '', namespace = '' } = route?.metadata ?? {};
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name, namespace },
    spec: {
      rules: rules.map((rule) => ({
        ...rule,
        backendRefs: readList(rule, ['backendRefs'])
          .filter(isRecord)
          .map((ref) => ({ kind: 'Backend', name: backends.get(String(ref.name)), weight: ref.weight })),
      })),
    },
    status: { parents: [{ conditions: [fulfilled('Accepted'), fulfilled('ResolvedRefs')] }] },
  };
}
