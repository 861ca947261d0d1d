/**
 * What the tests serve: the gateway and the services of `examples/poc-2`, where one of the models also has a hosted
 * fallback. The cluster has every optional part, each replica's engine is ready, and every controller accepts everything.
 */
import { join } from 'node:path';
import { readObjects } from '../../../cli/read-objects.ts';
import { featureNames } from '../../../domain/kubernetes/feature.ts';
import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import { root } from '../../render/read-cases.ts';

const examples = readObjects(join(root, 'examples/poc-2'));

function claim(kind: string, name: string): KubernetesObject {
  const found = examples.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`examples/poc-2 has no ${kind} "${name}"`);
  return { ...found, metadata: { ...found.metadata, uid: `uid-${name}`, generation: 1 } };
}

const features = Object.fromEntries(featureNames.map((name) => [name, true]));
/** The host name of the hosted fallback. */
export const vendorHost = 'api.vendor.example';

/** The cluster, which lets services fall back to the vendor. */
export const cluster: KubernetesObject = {
  ...claim('InferenceCluster', 'europe'),
  spec: { guardrails: { externalEndpoints: [vendorHost] } },
  status: { features },
};

/** The gateway; `fields` replaces fields of its spec. */
export function gatewayClaim(fields: Readonly<Record<string, unknown>> = {}): KubernetesObject {
  const gateway = claim('InferenceGateway', 'inference');
  const status = { features, externalEndpoints: [vendorHost] };
  return { ...gateway, spec: { ...(gateway.spec as object), ...fields }, status };
}

/** A service of the example, with fields of its spec replaced. */
export function serviceClaim(name: string, fields: Readonly<Record<string, unknown>> = {}): KubernetesObject {
  const service = claim('ModelService', name);
  const metadata = { ...service.metadata, creationTimestamp: '2026-12-01T00:00:00Z' };
  return { ...service, metadata, spec: { ...(service.spec as object), ...fields } };
}

/** The routes of a model with a hosted fallback. */
export const withFallback = {
  routes: [
    { deploymentName: 'mimo' },
    {
      type: 'ExternalEndpoint',
      priority: 1,
      externalEndpoint: {
        name: 'hosted',
        hostname: vendorHost,
        modelName: 'big',
        apiKeySecretRef: { name: 'vendor-key' },
      },
    },
  ],
} as const;
