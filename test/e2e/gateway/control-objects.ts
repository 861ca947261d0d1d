/** Objects that somebody else would make, for controls: what happens without what we render. */
import { isRecord, type KubernetesObject, readList, readPath } from '../../../domain/kubernetes/object.ts';

/** The Gateway with one more HTTPS listener, appended, that no policy of ours names. */
export function withOpenListener(rendered: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return rendered.map((object) => {
    if (object.kind !== 'Gateway') return object;
    const listeners = readList(object, ['spec', 'listeners']);
    const https = listeners.find((listener) => readPath(listener, ['protocol']) === 'HTTPS');
    const added = { ...(isRecord(https) ? https : {}), name: 'https-other', hostname: 'other.example.com' };
    return { ...object, spec: { ...(object.spec as object), listeners: [...listeners, added] } } as KubernetesObject;
  });
}

/** A route of a user's own to the first engine, without timeouts; it is also on the listener that we do not know. */
export function controlRoute(rendered: readonly KubernetesObject[]): KubernetesObject {
  const backend = rendered.find(({ kind }) => kind === 'Backend');
  const gateway = { name: 'inference', namespace: 'modelberth-gateway' };
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'control', namespace: 'coding' },
    spec: {
      parentRefs: [
        { ...gateway, sectionName: 'https-api' },
        { ...gateway, sectionName: 'https-other' },
      ],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/control/' } }],
          backendRefs: [{ group: 'gateway.envoyproxy.io', kind: 'Backend', name: backend?.metadata.name }],
        },
      ],
    },
  } as KubernetesObject;
}

/** The AI route of the first model under another model name, without timeouts. */
export function untimedRoute(rendered: readonly KubernetesObject[]): KubernetesObject {
  const route = rendered.find(({ kind, metadata }) => kind === 'AIGatewayRoute' && metadata.name === 'mimo');
  const rule = readList(route, ['spec', 'rules']).at(-1);
  const headers = [{ name: 'x-ai-eg-model', type: 'Exact', value: 'coding/untimed' }];
  const rules = [{ matches: [{ headers }], backendRefs: readPath(rule, ['backendRefs']) }];
  return {
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kind: 'AIGatewayRoute',
    metadata: { name: 'untimed', namespace: 'coding' },
    spec: { parentRefs: readPath(route, ['spec', 'parentRefs']), rules },
  } as KubernetesObject;
}

/** Tells whether an object is the Secret that the gateway reads the callers' keys from. */
export function isKeys({ kind, metadata }: KubernetesObject): boolean {
  return kind === 'Secret' && metadata.name === 'inference-keys-callers';
}

/** The same objects with other keys in that Secret, unchecked, as if there were no copy of the users' Secrets. */
export function withKeys(
  rendered: readonly KubernetesObject[],
  keys: Readonly<Record<string, string>>,
): readonly KubernetesObject[] {
  const data = Object.fromEntries(Object.entries(keys).map(([id, key]) => [id, btoa(key)]));
  return rendered.map((object) => (isKeys(object) ? ({ ...object, data } as KubernetesObject) : object));
}

/** What a team might write to let its own page call its model. */
export const corsPolicy = {
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'SecurityPolicy',
  metadata: { name: 'cors-of-a-team', namespace: 'coding' },
  spec: {
    targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'mimo' }],
    cors: { allowOrigins: ['https://app.example.com'] },
  },
} as const;
