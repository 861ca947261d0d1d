/**
 * What a gateway without Kubernetes needs to be otherwise than we render it. This list is everything: whatever is not
 * here reaches Envoy as the functions composed it. Met by running Envoy Gateway 1.9.0 and AI Gateway 1.0.0.
 */
import { isRecord, type KubernetesObject, readList, readPath, readString } from '../../../domain/kubernetes/object.ts';

/** Envoy Gateway alone, with HTTPRoutes in place of AI routes; with the AI gateway beside it; or its translator only. */
export type Tier = 'EnvoyGateway' | 'AIGateway' | 'Translation';

export interface Standalone {
  readonly tier: Tier;
  /** Ports of the mock engines by the host name of a Backend. */
  readonly engines: Readonly<Record<string, number>>;
  readonly accessLog: string;
  /** How long a replaced listener lets its streams go on. */
  readonly drainSeconds: number;
}

/** Ports of the listeners inside the namespace. */
export const listenerPort = { http: 10_080, https: 10_443 } as const;

interface Change {
  readonly why: string;
  readonly kinds: readonly string[];
  readonly tiers: readonly Tier[];
  /** The object as it is given instead; undefined drops it. */
  readonly change: (object: KubernetesObject, scene: Scene) => KubernetesObject | undefined;
}

interface Scene extends Standalone {
  readonly objects: readonly KubernetesObject[];
}

const all: readonly Tier[] = ['EnvoyGateway', 'AIGateway', 'Translation'];
const running: readonly Tier[] = ['EnvoyGateway', 'AIGateway'];
const withoutAi: readonly Tier[] = ['EnvoyGateway', 'Translation'];

const changes: readonly Change[] = [
  {
    why: 'the file loader refuses a whole file for one kind that it does not know',
    kinds: [
      'Certificate',
      'PodMonitor',
      'NetworkPolicy',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
    ],
    tiers: all,
    change: () => undefined,
  },
  {
    why: 'Envoy Gateway alone knows no kind of the AI gateway',
    kinds: ['AIServiceBackend', 'BackendSecurityPolicy'],
    tiers: withoutAi,
    change: () => undefined,
  },
  {
    why: 'aigw passes GatewayConfig on to a loader that refuses it',
    kinds: ['GatewayConfig'],
    tiers: all,
    change: () => undefined,
  },
  {
    why: 'aigw reads no GatewayConfig, so its costs go on the route',
    kinds: ['AIGatewayRoute'],
    tiers: ['AIGateway'],
    change: (route, { objects }) => {
      const config = objects.find(({ kind }) => kind === 'GatewayConfig');
      return withSpec(route, { llmRequestCosts: readList(config, ['spec', 'globalLLMRequestCosts']) });
    },
  },
  {
    why: 'without the AI filter nothing reads the model from a body, so an HTTPRoute takes it from the path',
    kinds: ['AIGatewayRoute'],
    tiers: withoutAi,
    change: standInRoute,
  },
  {
    why: 'the ports need no root, and the loader drops the labels of namespaces, so that no selector would match',
    kinds: ['Gateway'],
    tiers: all,
    change: (gateway) => withSpec(gateway, { listeners: readList(gateway, ['spec', 'listeners']).map(openListener) }),
  },
  {
    why: 'Envoy is a process beside the controller and not a pod, logs to a file, and a test cannot wait for an hour',
    kinds: ['EnvoyProxy'],
    tiers: running,
    change: (proxy, { accessLog, drainSeconds }) => {
      const [setting] = readList(proxy, ['spec', 'telemetry', 'accessLog', 'settings']);
      const sinks = [{ type: 'File', file: { path: accessLog } }];
      return withSpec(proxy, {
        provider: { type: 'Host', host: {} },
        shutdown: { drainTimeout: `${drainSeconds}s`, minDrainDuration: '1s' },
        telemetry: { accessLog: { settings: [{ ...(setting as object), sinks }] } },
      });
    },
  },
  {
    why: 'the engines are mocks on loopback, in plain HTTP',
    kinds: ['Backend'],
    tiers: running,
    change: (backend, { engines }) => {
      const endpoints = readList(backend, ['spec', 'endpoints']).map((endpoint) => {
        const host = readString(endpoint, ['fqdn', 'hostname']) ?? '';
        return { fqdn: { hostname: 'localhost', port: engines[host] } };
      });
      return { ...backend, spec: { endpoints } } as KubernetesObject;
    },
  },
];

/** The rendered objects as a standalone gateway takes them. */
export function toStandalone(objects: readonly KubernetesObject[], setting: Standalone): readonly KubernetesObject[] {
  const scene = { ...setting, objects };
  return objects.flatMap((object) => {
    const own = changes.filter(({ kinds, tiers }) => kinds.includes(object.kind) && tiers.includes(setting.tier));
    let changed: KubernetesObject | undefined = object;
    for (const { change } of own) changed = changed === undefined ? undefined : change(changed, scene);
    return changed === undefined ? [] : [changed];
  });
}

function withSpec(object: KubernetesObject, fields: Readonly<Record<string, unknown>>): KubernetesObject {
  return { ...object, spec: { ...(object.spec as object), ...fields } } as KubernetesObject;
}

function openListener(listener: unknown): unknown {
  if (!isRecord(listener)) return listener;
  const port = listener.protocol === 'HTTPS' ? listenerPort.https : listenerPort.http;
  const allowedRoutes = { ...(listener.allowedRoutes as object), namespaces: { from: 'All' } };
  return { ...listener, port, allowedRoutes };
}

/** The HTTPRoute that the AI gateway would make, by path: `/NAMESPACE/NAME/`, to the backends of the first priority. */
function standInRoute(route: KubernetesObject, { objects }: Scene): KubernetesObject | undefined {
  const rule = readList(route, ['spec', 'rules']).at(-1);
  if (rule === undefined) return undefined;
  const backendOf = (service: string) =>
    readString(
      objects.find(({ kind, metadata }) => kind === 'AIServiceBackend' && metadata.name === service),
      ['spec', 'backendRef', 'name'],
    );
  const backendRefs = readList(rule, ['backendRefs'])
    .filter((ref) => readPath(ref, ['priority']) === undefined)
    .map((ref) => ({
      group: 'gateway.envoyproxy.io',
      kind: 'Backend',
      name: backendOf(readString(ref, ['name']) ?? ''),
      weight: readPath(ref, ['weight']),
    }));
  const { namespace, name } = route.metadata;
  const matches = [{ path: { type: 'PathPrefix', value: `/${namespace}/${name}/` } }];
  const timeouts = readPath(rule, ['timeouts']);
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: route.metadata,
    spec: {
      parentRefs: readPath(route, ['spec', 'parentRefs']),
      rules: [{ matches, backendRefs, ...(timeouts === undefined ? {} : { timeouts }) }],
    },
  } as KubernetesObject;
}
