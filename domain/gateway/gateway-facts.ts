import { label } from '../kubernetes/label.ts';
import type { ObjectMeta } from '../kubernetes/object.ts';
import { boundedName } from '../kubernetes/resource-name.ts';
import type { InferenceGatewaySpec } from './inference-gateway-spec.ts';

/** All that the manifests of one gateway are rendered from. */
export interface GatewayFacts {
  readonly name: string;
  readonly spec: InferenceGatewaySpec;
  readonly serviceType: ServiceType;
  /** Names of the Secrets whose keys are admitted, in the order of the claim. */
  readonly keySecrets: readonly string[];
  /** The key that nobody has, base64: random once, then copied from the observed Secret. */
  readonly nobodyKey: string;
}

/** The type of Envoy's Service: inside the cluster only, or with an address (L21). */
export type ServiceType = 'ClusterIP' | 'LoadBalancer';

/** Names of the Gateway's listeners. Append only: Envoy names its listener after the first one of a port. */
export const listenerName = { http: 'http', api: 'https-api' } as const;

/** The name of a composed object of a gateway; without a part it is that of the Gateway. */
export function gatewayObjectName(gateway: string, part?: string): string {
  return boundedName(part === undefined ? gateway : `${gateway}-${part}`);
}

/** Metadata of a composed object of a gateway. */
export function gatewayMetadata(facts: GatewayFacts, part?: string): ObjectMeta {
  return {
    name: gatewayObjectName(facts.name, part),
    namespace: facts.spec.namespace,
    labels: { [label.managedBy]: 'modelberth', [label.inferenceGateway]: boundedName(facts.name) },
  };
}

/** Name of the Secret with the gateway's certificate. */
export function tlsSecretName(facts: GatewayFacts): string {
  return facts.spec.tls.secretName ?? gatewayObjectName(facts.name, 'tls');
}
