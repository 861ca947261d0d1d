import { isRecord, type KubernetesObject, readNumber } from '../../../domain/kubernetes/object.ts';
import type { World } from '../../crossplane/world.ts';

/** The condition by which the controller of a kind says that it has taken an object as it is. */
const acceptedBy: Readonly<Record<string, string>> = {
  AIGatewayRoute: 'Accepted',
  AIServiceBackend: 'Accepted',
  Backend: 'Accepted',
  BackendSecurityPolicy: 'Accepted',
  BackendTrafficPolicy: 'Accepted',
  Certificate: 'Ready',
  ClientTrafficPolicy: 'Accepted',
  ClusterUsage: 'Ready',
  Gateway: 'Programmed',
  GatewayClass: 'Accepted',
  HTTPRoute: 'Accepted',
  SecurityPolicy: 'Accepted',
  Usage: 'Ready',
};

/** What every controller makes of an object that was applied: it accepts it. What was not touched keeps what it says. */
export function reactAccepted(before: World, after: World): World {
  const next = new Map(after);
  for (const [identity, object] of after) {
    const type = acceptedBy[object.kind];
    const isSaid = before.get(identity) === object && object.status !== undefined;
    if (type !== undefined && !isSaid) next.set(identity, accept(object, type));
  }
  return next;
}

/** An object as its controller has accepted it in its present generation. */
export function accept(object: KubernetesObject, ...types: readonly string[]): KubernetesObject {
  const generation = object.metadata.generation ?? 1;
  const { status } = object;
  const seen = isRecord(status) ? readNumber(status, ['observedGeneration']) : undefined;
  if (!isRecord(status))
    return { ...object, status: { conditions: types.map((type) => conditionOf(type, generation)) } };
  const renewed = renew(status, generation);
  return {
    ...object,
    status: seen === undefined ? renewed : { ...(isRecord(renewed) ? renewed : {}), observedGeneration: generation },
  };
}

function conditionOf(type: string, observedGeneration: number): Record<string, unknown> {
  return { type, status: 'True', reason: type, observedGeneration };
}

/** A status in which every condition was decided from the present generation. */
function renew(value: unknown, generation: number): unknown {
  if (Array.isArray(value)) return value.map((item) => renew(item, generation));
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([field, child]) => [
    field,
    field === 'observedGeneration' ? generation : renew(child, generation),
  ]);
  return Object.fromEntries(fields);
}
