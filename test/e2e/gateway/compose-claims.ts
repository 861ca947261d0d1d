/** The objects that the gateway function composes for claims, once everything is accepted: what a cluster would hold. */
import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import { composeGateway } from '../../../functions/gateway/compose.ts';
import { desiredObjects, runEncoded } from '../../run-encoded.ts';
import { cluster } from './claims.ts';
import { callersSecret, keys } from './cluster-objects.ts';

/** Most passes until a gateway has its address. */
const maxPasses = 6;

/** Composes gateways and services over and over, each time accepting what there is, until nothing changes. */
export function composeClaims(
  claims: readonly KubernetesObject[],
  callers: KubernetesObject = callersSecret({ 'coding.agent': keys.agent, 'coding.ci': keys.ci }),
): readonly KubernetesObject[] {
  const gateways = claims.filter(({ kind }) => kind === 'InferenceGateway');
  return claims.flatMap((xr) =>
    composeClaim(
      xr,
      xr.kind === 'ModelService'
        ? requiredOfService(xr, gateways)
        : { cluster: [cluster], issuer: [], 'keys-callers': [callers] },
    ),
  );
}

type Fetched = Readonly<Record<string, readonly KubernetesObject[]>>;

function composeClaim(xr: KubernetesObject, required: Fetched): readonly KubernetesObject[] {
  let observed: Readonly<Record<string, KubernetesObject>> = {};
  let before = '';
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const composed = composeOnce(xr, observed, required);
    const after = JSON.stringify(composed);
    if (after === before) return Object.values(composed);
    before = after;
    observed = Object.fromEntries(Object.entries(composed).map(([key, object]) => [key, accept(object)]));
  }
  throw new Error(`Cannot compose ${xr.kind} "${xr.metadata.name}": not settled after ${maxPasses} passes`);
}

function composeOnce(
  xr: KubernetesObject,
  observed: Readonly<Record<string, KubernetesObject>>,
  required: Fetched,
): Readonly<Record<string, KubernetesObject>> {
  const { response, errors } = runEncoded('gateway', composeGateway, { xr: { ...xr }, observed, required } as never);
  if (errors.length > 0) throw errors[0];
  return desiredObjects(response) as Record<string, KubernetesObject>;
}

/** The replicas of a service, one for each deployment, and an endpoint of each. */
function requiredOfService(xr: KubernetesObject, gateways: readonly KubernetesObject[]): Fetched {
  const { routes } = xr.spec as { routes: readonly { deploymentName?: string }[] };
  const required: Record<string, readonly KubernetesObject[]> = { gateway: gateways };
  for (const { deploymentName } of routes) {
    if (deploymentName === undefined) continue;
    required[`replicas-${deploymentName}`] = [replica(deploymentName)];
    required[`endpoints-${deploymentName}`] = [slice(`${deploymentName}-0`)];
  }
  return required;
}

function replica(deployment: string): KubernetesObject {
  const name = `${deployment}-0`;
  const endpoint = { service: name, port: 8000, protocols: ['OpenAI', 'Anthropic'] };
  return {
    apiVersion: 'modelberth.dev/v1alpha1',
    kind: 'ModelReplica',
    metadata: { name, namespace: 'coding', generation: 1 },
    spec: { clusterName: cluster.metadata.name, traffic: 'Serve' },
    status: { conditions: [{ type: 'EngineReady', status: 'True' }], engine: { endpoint } },
  };
}

function slice(service: string): KubernetesObject {
  const endpoints = [{ addresses: ['10.0.0.1'], conditions: { ready: true } }];
  const labels = { 'kubernetes.io/service-name': service };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${service}-x`, namespace: 'coding', labels },
    endpoints,
  } as KubernetesObject;
}

function accept(object: KubernetesObject): KubernetesObject {
  const conditions = ['Accepted', 'Programmed', 'Ready', 'ResolvedRefs'].map((type) => ({ type, status: 'True' }));
  return { ...object, status: { conditions } };
}
