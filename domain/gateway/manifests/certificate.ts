import { gatewayMetadata, tlsSecretName } from '../gateway-facts.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/** The certificate that cert-manager issues and renews (L27); a renewal reaches new connections only and cuts none. */
export const certificate: GatewayManifest = {
  key: 'gateway-certificate',
  kind: 'Certificate',
  role: 'Part',
  needs: ['CertManager'],
  wanted: {
    by: ({ spec }) => spec.tls.type === 'Issuer',
    otherwise: 'spec.tls.type is "Secret", so the certificate is given',
  },
  render: (facts) => ({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: gatewayMetadata(facts),
    spec: {
      secretName: tlsSecretName(facts),
      dnsNames: [facts.spec.hostnames.api],
      duration: '2160h',
      renewBefore: '720h',
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
      issuerRef: {
        name: facts.spec.tls.issuerRef?.name,
        kind: facts.spec.tls.issuerRef?.kind,
        group: 'cert-manager.io',
      },
    },
  }),
};
