/**
 * What a step of somebody else desires in front of ours: the Objects of provider-kubernetes that a platform team adds to
 * every claim. A function passes them on.
 */
import { Ready, type Resource, type RunFunctionRequest } from '@crossplane-org/function-sdk-typescript';
import { firstOf, readGoldenCase } from './bench-scene.ts';

const manifest = firstOf(readGoldenCase('replica/7-engine-ready').observed, 'Deployment');

/** The request with so many foreign resources desired. */
export function withForeign(request: RunFunctionRequest, count: number): RunFunctionRequest {
  const foreign = Array.from({ length: count }, (_, number) => [`platform-${number}`, foreignResource(number)]);
  const { composite, resources } = request.desired ?? { composite: undefined, resources: {} };
  return { ...request, desired: { composite, resources: { ...resources, ...Object.fromEntries(foreign) } } };
}

function foreignResource(number: number): Resource {
  const name = `platform-${number}`;
  const object = {
    apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
    kind: 'Object',
    metadata: { name, namespace: 'chat', labels: { 'platform.example.org/team': 'inference' } },
    spec: {
      forProvider: { manifest: { ...manifest, metadata: { ...manifest.metadata, name } } },
      providerConfigRef: { kind: 'ClusterProviderConfig', name: 'europe' },
    },
  };
  return { resource: object, connectionDetails: {}, ready: Ready.READY_TRUE };
}
