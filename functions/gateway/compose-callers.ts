import { admitCallers, type CallerSeen, type FetchedSecret } from '../../domain/gateway/callers/admit-callers.ts';
import { isKeySecret, keySecretKey, keySecretName, renderKeySecret } from '../../domain/gateway/callers/key-secret.ts';
import { describeState } from '../../domain/gateway/describe-state.ts';
import type { InferenceGatewaySpec } from '../../domain/gateway/inference-gateway-spec.ts';
import { callerPolicy } from '../../domain/gateway/manifests/caller-policy.ts';
import { readList, readString } from '../../domain/kubernetes/object.ts';
import { millisBetween } from '../../domain/units/duration.ts';
import type { Composed, ComposeRequest, Requirements, ResourceRow } from '../compose.ts';

/** Name of the requirement for a Secret of keys. */
function requiredSecret(name: string): string {
  return `keys-${name}`;
}

/** Every Secret of keys that the claim names: each is read, so that one that cannot work is refused. */
export function requireSecrets({ auth, namespace }: InferenceGatewaySpec): Requirements['resources'] {
  const names = (auth?.callers ?? []).flatMap(({ secretRef }) => secretRef?.name ?? []);
  return Object.fromEntries(
    names.map((matchName) => [requiredSecret(matchName), { apiVersion: 'v1', kind: 'Secret', matchName, namespace }]),
  );
}

/** What is admitted, and the Secrets that it needs. */
export interface CallersPlan {
  readonly seen: readonly CallerSeen[];
  /** Names of the Secrets for the policy. */
  readonly keySecrets: readonly string[];
  readonly composed: ReadonlyMap<string, Composed>;
  readonly dropped: ReadonlyMap<string, string>;
  readonly planned: readonly ResourceRow[];
  /** Seconds until the next keys expire. */
  readonly wakeInSeconds: number | undefined;
}

/** Decides on the callers of a gateway. */
export function planCallers(request: ComposeRequest, spec: InferenceGatewaySpec): CallersPlan {
  const gateway = request.xr.metadata.name ?? '';
  const seen = admitCallers({
    gateway,
    namespace: spec.namespace,
    callers: spec.auth?.callers ?? [],
    fetched: (name) => fetchSecret(request, name),
    observed: request.observed,
    policy: request.observed.get(callerPolicy.key),
    now: request.now,
    randomKey: request.randomKey,
  });
  return {
    seen,
    keySecrets: seen.flatMap(({ secretName }) => secretName ?? []),
    composed: new Map(seen.flatMap((one) => writeSecret(one, { request, namespace: spec.namespace }))),
    dropped: dropSecrets(request, seen),
    planned: seen.flatMap(({ caller, keys }) =>
      keys === undefined ? [plannedRow(keySecretName(gateway, caller))] : [],
    ),
    wakeInSeconds: nextExpiry(seen, request.now),
  };
}

function fetchSecret(request: ComposeRequest, name: string): FetchedSecret | undefined {
  const required = request.required(requiredSecret(name));
  if (required.state === 'Unresolved') return undefined;
  return required.state === 'Absent' ? { state: 'Absent' } : { state: 'Present', secret: required.objects[0] };
}

function writeSecret(
  { caller, keys, state }: CallerSeen,
  { request, namespace }: { readonly request: ComposeRequest; readonly namespace: string },
): readonly (readonly [string, Composed])[] {
  if (keys === undefined) return [];
  const owner = { gateway: request.xr.metadata.name ?? '', namespace, caller };
  const object = renderKeySecret(owner, { keys, isExpired: state === 'Expired' });
  const key = keySecretKey(caller);
  const shown = describeState(request.observed.get(key));
  return [[key, { object, ...shown, ...(state === 'Expired' ? { why: 'its keys have expired' } : {}) }]];
}

/** Secrets of keys that the claim names no more go once the policy has let go of them: it would answer 500 without. */
function dropSecrets({ observed }: ComposeRequest, seen: readonly CallerSeen[]): ReadonlyMap<string, string> {
  const wanted = new Set(seen.map(({ caller }) => keySecretKey(caller)));
  const refs = readList(observed.get(callerPolicy.key), ['spec', 'apiKeyAuth', 'credentialRefs']);
  const named = new Set(refs.map((ref) => readString(ref, ['name'])));
  const gone = [...observed].filter(
    ([key, { metadata }]) => isKeySecret(key) && !wanted.has(key) && !named.has(metadata.name),
  );
  return new Map(gone.map(([key]) => [key, 'spec.auth.callers does not name it, and no policy does']));
}

function plannedRow(name: string): ResourceRow {
  return { name, kind: 'Secret', state: 'Planned', why: 'composed when there are keys for it' };
}

function nextExpiry(seen: readonly CallerSeen[], now: Date): number | undefined {
  const ahead = seen.flatMap(({ caller, state }) =>
    caller.expiresAt === undefined || state === 'Expired' ? [] : [-millisBetween(caller.expiresAt, now) / 1000],
  );
  return ahead.length === 0 ? undefined : Math.ceil(Math.min(...ahead));
}
