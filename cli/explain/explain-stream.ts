/**
 * The path of a stream from the caller to the engine, and every limit on it. The values are read from the objects that
 * were rendered, never from the constants that made them: what is shown is what the gateway will be told. A hop whose
 * object is not rendered yet has no value and says so; a declared one is named as such (S5).
 */
import { isRecord, type KubernetesObject, readPath, readString } from '../../domain/kubernetes/object.ts';
import { type LimitKind, limitReaders, type StreamLimit, type StreamPath } from './read-limits.ts';

/** The smallest limit of one kind, and every hop that has it. */
export interface SmallestLimit {
  readonly limits: LimitKind;
  readonly seconds: number;
  readonly hops: readonly string[];
}

export interface ExplainedStream {
  readonly hops: readonly StreamLimit[];
  /** By kind; a kind that nothing limits is left out. */
  readonly smallest: readonly SmallestLimit[];
  /** Hops whose limit is not known yet. */
  readonly unknown: readonly string[];
}

/** Every limit from the load balancer to the engine, in the order of the path, and the smallest of each kind. */
export function explainStream(path: StreamPath): ExplainedStream {
  const hops = limitReaders.flatMap((read) => read(path));
  const unknown = hops.filter((limit) => limit.state === 'NotRendered').map((limit) => limit.hop);
  return { hops, smallest: kinds.flatMap((kind) => smallestOf(kind, hops)), unknown: [...new Set(unknown)] };
}

const kinds: readonly LimitKind[] = ['Silence', 'Whole', 'Drain'];

function smallestOf(kind: LimitKind, hops: readonly StreamLimit[]): readonly SmallestLimit[] {
  const bounded = hops.flatMap((limit) =>
    limit.limits === kind && limit.seconds !== undefined ? [{ hop: limit.hop, seconds: limit.seconds }] : [],
  );
  if (bounded.length === 0) return [];
  const seconds = Math.min(...bounded.map((limit) => limit.seconds));
  const names = bounded.filter((limit) => limit.seconds === seconds).map(({ hop }) => hop);
  return [{ limits: kind, seconds, hops: [...new Set(names)] }];
}

/** The InferenceGateway of a service among all XRs. */
export function gatewayOf(service: KubernetesObject, xrs: readonly KubernetesObject[]): KubernetesObject | undefined {
  const name = readString(service, ['spec', 'gatewayName']);
  return xrs.find((xr) => xr.kind === 'InferenceGateway' && xr.metadata.name === name);
}

/** Names of the deployments that a service routes to. */
export function deploymentsOf(service: KubernetesObject): readonly string[] {
  const routes = readPath(service, ['spec', 'routes']);
  if (!Array.isArray(routes)) return [];
  return routes
    .filter(isRecord)
    .flatMap((route) => (typeof route.deploymentName === 'string' ? [route.deploymentName] : []));
}
