import { type KubernetesObject, readString } from '../kubernetes/object.ts';
import type { Readiness } from '../readiness/judge-readiness.ts';
import type { ServiceType } from './gateway-facts.ts';

/** What the address of a gateway waits for. */
export interface Exposure {
  /** The observed EnvoyProxy, if any. */
  readonly envoyProxy: KubernetesObject | undefined;
  /** What each policy that the spec wants proves about itself. */
  readonly policies: readonly Readiness[];
  /** The certificate; undefined when it is given. */
  readonly certificate: Readiness | undefined;
}

/**
 * The type of Envoy's Service: an address comes last, when every policy is accepted and the certificate is issued
 * (L21). Once it has been a load balancer it stays one, whatever happens to a policy later: a policy that is not
 * accepted is answered 500 by Envoy Gateway, while a lost address loses every caller.
 */
export function chooseServiceType({ envoyProxy, policies, certificate }: Exposure): ServiceType {
  if (isExposed(envoyProxy)) return 'LoadBalancer';
  const isSecured = policies.length > 0 && policies.every((policy) => policy === 'Ready');
  return isSecured && (certificate ?? 'Ready') === 'Ready' ? 'LoadBalancer' : 'ClusterIP';
}

/** Tells whether an observed EnvoyProxy asks for a load balancer. */
export function isExposed(envoyProxy: KubernetesObject | undefined): boolean {
  return readString(envoyProxy, ['spec', 'provider', 'kubernetes', 'envoyService', 'type']) === 'LoadBalancer';
}
