import {
  isRecord,
  type KubernetesObject,
  readList,
  readNumber,
  readPath,
  readString,
} from '../../domain/kubernetes/object.ts';
import { readSeconds } from './read-seconds.ts';

/** What a limit bounds: a stream without a byte, a stream as a whole, or one that runs while its hop leaves. */
export type LimitKind = 'Silence' | 'Whole' | 'Drain';

/** One limit on the path of a stream. */
export interface StreamLimit {
  readonly hop: 'load balancer' | 'gateway pods' | 'listener' | 'route' | 'policy' | 'engine';
  readonly limits: LimitKind;
  readonly state: 'Rendered' | 'NotRendered';
  /** Unset where there is no limit, or it is not known. */
  readonly seconds?: number;
  /** Kind, name and field of the rendered object, or why there is none. */
  readonly setBy: string;
}

/** Objects on the path of one service. */
export interface StreamPath {
  /** Rendered for the ModelService. */
  readonly service: readonly KubernetesObject[];
  /** Rendered for its InferenceGateway. */
  readonly gateway: readonly KubernetesObject[];
  /** The InferenceGateway itself; undefined when it is missing. */
  readonly gatewayXr: KubernetesObject | undefined;
  /** Rendered for the ModelReplicas that it routes to. */
  readonly replicas: readonly KubernetesObject[];
}

/** What reads the limits of each hop, in the order in which a request meets them. */
export const limitReaders: readonly ((path: StreamPath) => readonly StreamLimit[])[] = [
  readLoadBalancer,
  readGatewayPods,
  (path) => readPolicy(path.gateway, 'ClientTrafficPolicy', 'listener'),
  readRoutes,
  readBackendPolicy,
  readEngines,
];

type Hop = StreamLimit['hop'];

const serviceAnnotations = ['spec', 'provider', 'kubernetes', 'envoyService', 'annotations'];
/** Annotation of a listener of the load balancer; its end is the port. */
const listenerAttributes = 'aws-load-balancer-listener-attributes.';

function readLoadBalancer({ gateway, gatewayXr }: StreamPath): readonly StreamLimit[] {
  const proxy = gateway.find((object) => object.kind === 'EnvoyProxy');
  const annotations = readPath(proxy, serviceAnnotations);
  const found = Object.entries(isRecord(annotations) ? annotations : {}).filter(([name]) =>
    name.includes(listenerAttributes),
  );
  const limits = found.flatMap(([name, value]) => {
    const seconds = /tcp\.idle_timeout\.seconds=(\d+)/.exec(String(value))?.[1];
    if (proxy === undefined || seconds === undefined) return [];
    return [
      rendered('load balancer', 'Silence', Number(seconds), `${nameOf(proxy)} annotation ${name.split('/').at(-1)}`),
    ];
  });
  return limits.length > 0 ? limits : [waitingBalancer(gatewayXr)];
}

/** Until the policies are accepted there is no load balancer (L21); what the claim declares is named as declared. */
function waitingBalancer(gatewayXr: KubernetesObject | undefined): StreamLimit {
  const declared = readNumber(gatewayXr, ['spec', 'loadBalancer', 'idleTimeoutSeconds']);
  const will = declared === undefined ? '' : `; spec.loadBalancer.idleTimeoutSeconds declares ${declared} s`;
  return notRendered('load balancer', 'Silence', `no load balancer is rendered yet${will}`);
}

function readGatewayPods({ gateway }: StreamPath): readonly StreamLimit[] {
  const proxy = gateway.find((object) => object.kind === 'EnvoyProxy');
  return readField(proxy, ['spec', 'shutdown', 'drainTimeout'], 'gateway pods', 'Drain');
}

/** The idle and whole limits of a traffic policy; none where it sets none. */
function readPolicy(objects: readonly KubernetesObject[], kind: string, hop: Hop): readonly StreamLimit[] {
  const policies = objects.filter((object) => object.kind === kind && hasTimeouts(object));
  if (policies.length === 0) return [notRendered(hop, 'Silence', `no ${kind} is rendered yet`)];
  return policies.flatMap((policy) => [
    ...readField(policy, [...timeouts, 'streamIdleTimeout'], hop, 'Silence'),
    ...readField(policy, [...timeouts, 'requestTimeout'], hop, 'Whole'),
    ...readField(policy, [...timeouts, 'maxStreamDuration'], hop, 'Whole'),
  ]);
}

const timeouts = ['spec', 'timeout', 'http'];

/** The policy of the service where it sets timeouts, since it is merged over the one of the gateway; else that one. */
function readBackendPolicy({ service, gateway }: StreamPath): readonly StreamLimit[] {
  const isOwn = service.some((object) => object.kind === 'BackendTrafficPolicy' && hasTimeouts(object));
  return readPolicy(isOwn ? service : gateway, 'BackendTrafficPolicy', 'policy');
}

function hasTimeouts(object: KubernetesObject): boolean {
  return readPath(object, timeouts) !== undefined;
}

/** Each rule of the route: the limit on the whole of a response, which should be none (L23). */
function readRoutes({ service }: StreamPath): readonly StreamLimit[] {
  const routes = service.filter((object) => object.kind === 'AIGatewayRoute');
  if (routes.length === 0) return [notRendered('route', 'Whole', 'no AIGatewayRoute is rendered yet')];
  return routes.flatMap((route) =>
    readList(route, ['spec', 'rules']).map((rule, index) => {
      const field = `spec.rules[${index}].timeouts.request`;
      const written = readPath(rule, ['timeouts', 'request']);
      const seconds = readSeconds(written);
      const setBy = `${nameOf(route)} ${field}`;
      return seconds === undefined
        ? notRendered('route', 'Whole', `${setBy} is "${String(written)}": the gateway's own default holds`)
        : rendered('route', 'Whole', seconds, setBy);
    }),
  );
}

/** Where the pods of an engine say how long they may take to end: a Deployment, or a gang with its leader. */
const gracePeriods: readonly (readonly string[])[] = [
  ['spec', 'template', 'spec', 'terminationGracePeriodSeconds'],
  ['spec', 'leaderWorkerTemplate', 'leaderTemplate', 'spec', 'terminationGracePeriodSeconds'],
  ['spec', 'leaderWorkerTemplate', 'workerTemplate', 'spec', 'terminationGracePeriodSeconds'],
];

function readEngines({ replicas }: StreamPath): readonly StreamLimit[] {
  const limits = replicas.flatMap((object) =>
    gracePeriods.flatMap((field) => readField(object, field, 'engine', 'Drain')),
  );
  if (limits.length > 0) return limits;
  return [notRendered('engine', 'Drain', 'no engine is rendered before its node is there')];
}

function readField(
  object: KubernetesObject | undefined,
  field: readonly string[],
  hop: Hop,
  limits: LimitKind,
): readonly StreamLimit[] {
  const seconds = readSeconds(readPath(object, field));
  if (object === undefined || seconds === undefined) return [];
  return [rendered(hop, limits, seconds, `${nameOf(object)} ${field.join('.')}`)];
}

/** Zero means no limit to Envoy, and no time at all to a pod that is told to stop. */
function rendered(hop: Hop, limits: LimitKind, seconds: number, setBy: string): StreamLimit {
  const isBound = seconds > 0 || limits === 'Drain';
  return { hop, limits, state: 'Rendered', ...(isBound ? { seconds } : {}), setBy };
}

function notRendered(hop: Hop, limits: LimitKind, setBy: string): StreamLimit {
  return { hop, limits, state: 'NotRendered', setBy };
}

function nameOf(object: KubernetesObject): string {
  return `${object.kind}/${readString(object, ['metadata', 'name']) ?? ''}`;
}
