import { type GatewayFacts, gatewayObjectName } from './gateway-facts.ts';

/** What a policy applies to: one object, or one listener of a Gateway. */
export interface TargetRef {
  readonly group: 'gateway.networking.k8s.io';
  readonly kind: 'Gateway' | 'HTTPRoute';
  readonly name: string;
  readonly sectionName?: string;
}

/** The whole Gateway, or one of its listeners. */
export function targetGateway(facts: GatewayFacts, sectionName?: string): TargetRef {
  const name = gatewayObjectName(facts.name);
  const section = sectionName === undefined ? {} : { sectionName };
  return { group: 'gateway.networking.k8s.io', kind: 'Gateway', name, ...section };
}

/** One HTTPRoute in the policy's namespace. */
export function targetRoute(name: string): TargetRef {
  return { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name };
}
