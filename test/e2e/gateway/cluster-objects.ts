/** What a cluster holds beside what we compose: the class, the certificate, the keys of callers and of the vendor. */
import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import { createAuthority, issueCertificate } from '../../certificates.ts';

/** The keys of the two callers at the start. */
export const keys = { agent: 'key-of-the-nightly-agent', ci: 'key-of-continuous-integration' } as const;
/** The key that the vendor is shown. */
export const vendorKey = 'key-of-the-vendor';

const gatewayNamespace = 'modelberth-gateway';

export const gatewayClass: KubernetesObject = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: { name: 'modelberth' },
  spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
};

/** The Secret of the example's callers: data key is the id, value the key. */
export function callersSecret(data: Readonly<Record<string, string>>): KubernetesObject {
  return secret('callers', gatewayNamespace, data);
}

export const vendorSecret = secret('vendor-key', 'coding', { apiKey: vendorKey });

/** A new certificate in the Secret of the gateway; each call is a renewal. */
export function renewCertificate(): KubernetesObject {
  const { certificate, privateKey } = issueCertificate(createAuthority('test'), 'api.inference.example.com');
  const object = secret('inference-tls', gatewayNamespace, { 'tls.crt': certificate, 'tls.key': privateKey });
  return { ...object, type: 'kubernetes.io/tls' } as KubernetesObject;
}

function secret(name: string, namespace: string, data: Readonly<Record<string, string>>): KubernetesObject {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'Opaque',
    data: Object.fromEntries(encoded),
  } as KubernetesObject;
}
