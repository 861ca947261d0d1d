import { z } from 'zod';
import { withRules } from '../kubernetes/spec-rule.ts';

const IssuerRef = z.object({
  name: z.string().min(1).max(253).describe('Name of the cert-manager issuer.'),
  kind: z
    .enum(['Issuer', 'ClusterIssuer'])
    .default('Issuer')
    .describe('Kind of the issuer. "Issuer" is looked up in spec.namespace. Default: "Issuer".'),
});

/** Where the certificate of the gateway's host names comes from. */
export const Tls = withRules(
  z.object({
    type: z
      .enum(['Issuer', 'Secret'])
      .describe('"Issuer": cert-manager issues and renews the certificate. "Secret": you keep it in a Secret.'),
    issuerRef: IssuerRef.optional().describe(
      'The issuer, for the type "Issuer". It must solve DNS-01: HTTP-01 would wait for the address of the gateway, which waits for the certificate.',
    ),
    secretName: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .describe(
        'Name of the Secret in spec.namespace with "tls.crt" and "tls.key". Needed for the type "Secret"; with "Issuer" the certificate is written there. Default with "Issuer": the name of the gateway and "-tls".',
      ),
  }),
  [
    {
      rule: "self.type != 'Issuer' || has(self.issuerRef)",
      message: 'issuerRef is missing: name the cert-manager issuer, or set type to "Secret" and give secretName',
      holds: (tls) => tls.type !== 'Issuer' || tls.issuerRef !== undefined,
    },
    {
      rule: "self.type != 'Secret' || has(self.secretName)",
      message:
        'secretName is missing: name the Secret that holds the certificate, or set type to "Issuer" and give issuerRef',
      holds: (tls) => tls.type !== 'Secret' || tls.secretName !== undefined,
    },
    {
      rule: "self.type != 'Secret' || !has(self.issuerRef)",
      message: 'issuerRef has no effect when type is "Secret": remove it, or set type to "Issuer"',
      holds: (tls) => tls.type !== 'Secret' || tls.issuerRef === undefined,
    },
  ],
);
export type Tls = z.output<typeof Tls>;
