import { annotation, label } from '../../kubernetes/label.ts';
import { isRecord, type KubernetesObject, readPath, readString } from '../../kubernetes/object.ts';
import { boundedName } from '../../kubernetes/resource-name.ts';
import type { Caller } from '../caller-auth.ts';
import { gatewayObjectName } from '../gateway-facts.ts';

/** Keys by the id of their caller, base64 as in a Secret. Never shown. */
export type Keys = ReadonlyMap<string, string>;

const prefixes = { Secret: 'gateway-keys-', Generated: 'gateway-generated-' } as const;

/** Key of the composed Secret of an entry of `spec.auth.callers`. */
export function keySecretKey(caller: Caller): string {
  return `${prefixes[caller.type]}${nameOf(caller)}`;
}

/** Tells whether a composed resource is a Secret of keys. */
export function isKeySecret(key: string): boolean {
  return Object.values(prefixes).some((prefix) => key.startsWith(prefix));
}

/** Name of the composed Secret of an entry. */
export function keySecretName(gateway: string, caller: Caller): string {
  return gatewayObjectName(gateway, `${caller.type === 'Secret' ? 'keys' : 'key'}-${nameOf(caller)}`);
}

/** What a message calls an entry. */
export function callerTitle(caller: Caller): string {
  return caller.type === 'Secret' ? `Secret "${nameOf(caller)}"` : `caller "${nameOf(caller)}"`;
}

function nameOf({ secretRef, id }: Caller): string {
  return secretRef?.name ?? id ?? '';
}

/** The gateway and the entry that a composed Secret of keys is of. */
export interface KeyOwner {
  readonly gateway: string;
  readonly namespace: string;
  readonly caller: Caller;
}

/**
 * The Secret that the gateway reads the keys of an entry from. It is ours, so that an edit of the user's own Secret cannot
 * bring in what would make every route answer 500. An expired one has the time, so that no clock brings it back (S4).
 */
export function renderKeySecret(
  { gateway, namespace, caller }: KeyOwner,
  { keys, isExpired }: { readonly keys: Keys; readonly isExpired: boolean },
): KubernetesObject {
  const annotations = isExpired ? { annotations: { [annotation.expiredAt]: caller.expiresAt ?? '' } } : {};
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: keySecretName(gateway, caller),
      namespace,
      labels: { [label.managedBy]: 'modelberth', [label.inferenceGateway]: boundedName(gateway) },
      ...annotations,
    },
    type: 'Opaque',
    data: Object.fromEntries([...keys].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

/** The keys of a Secret; none where it cannot be read. */
export function readKeys(secret: KubernetesObject | undefined): Keys {
  const data = readPath(secret, ['data']);
  const entries = Object.entries(isRecord(data) ? data : {});
  return new Map(entries.flatMap(([id, value]) => (typeof value === 'string' ? [[id, value] as const] : [])));
}

/** Tells whether an entry has expired: by the time, or because it once had by its composed Secret. */
export function hasExpired({ expiresAt }: Caller, observed: KubernetesObject | undefined, now: Date): boolean {
  if (expiresAt === undefined) return false;
  const latched = readString(observed, ['metadata', 'annotations', annotation.expiredAt]);
  return latched === expiresAt || Date.parse(expiresAt) <= now.getTime();
}
