import { z } from 'zod';
import { label } from '../label.ts';
import type { KubernetesObject } from '../object.ts';
import { boundedName } from '../resource-name.ts';
import { immutable, withRules } from '../spec-rule.ts';

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** How the control plane reaches a cluster: it is the same, or another one behind provider-kubernetes. */
export const Access = withRules(
  z.object({
    type: withRules(z.enum(['Local', 'Remote']).default('Local'), [immutable('spec.access.type')]).describe(
      'Local: the control plane runs on this cluster. Remote: the cluster is another one, reached by provider-kubernetes. Default Local. Cannot change: what runs would be lost from sight.',
    ),
    providerConfigName: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .describe(
        'ClusterProviderConfig of provider-kubernetes that reaches the cluster. Needed when type is Remote. May name another one of the same cluster later.',
      ),
    namespace: withRules(z.string().min(1).max(63).regex(dnsLabel).default('crossplane-system'), [
      immutable('spec.access.namespace'),
    ]).describe(
      'Namespace of the control plane for what is observed of a Remote cluster and for the objects of its gateways; who may read it reads them. Default `crossplane-system`. Cannot change.',
    ),
    namespacePrefix: withRules(
      z
        .string()
        .max(40)
        .regex(/^([a-z0-9][-a-z0-9]*)?$/)
        .default(''),
      [immutable('spec.access.namespacePrefix')],
    ).describe(
      'Put before the name of every namespace on a Remote cluster: replicas of namespace `chat` run in `<prefix>chat`. Two control planes that share a cluster give different prefixes, and different names to their InferenceClusters. Default none. Cannot change.',
    ),
  }),
  [
    {
      rule: "self.type != 'Remote' || has(self.providerConfigName)",
      message:
        'access.type Remote needs access.providerConfigName: name the ClusterProviderConfig of provider-kubernetes that reaches the cluster',
      holds: ({ type, providerConfigName }) => type !== 'Remote' || providerConfigName !== undefined,
    },
    {
      rule: "self.type == 'Remote' || !has(self.providerConfigName)",
      message:
        'access.providerConfigName has no effect when access.type is Local: set the type to Remote, or remove it',
      holds: ({ type, providerConfigName }) => type === 'Remote' || providerConfigName === undefined,
    },
  ],
);
export type Access = z.output<typeof Access>;

/** The namespace of a Remote cluster that stands for one of the control plane; at most 63 characters. */
export function remoteNamespace({ namespacePrefix }: Access, namespace: string): string {
  return boundedName(`${namespacePrefix}${namespace}`);
}

/** The namespace of the cluster, made where it is not there; nobody takes it away, since others may use it. */
export function renderNamespace(access: Access, namespace: string): KubernetesObject {
  const metadata = { name: remoteNamespace(access, namespace), labels: { [label.managedBy]: 'modelberth' } };
  return { apiVersion: 'v1', kind: 'Namespace', metadata };
}
