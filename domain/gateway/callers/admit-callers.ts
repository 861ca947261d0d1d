/**
 * Decides which keys the gateway admits. Keys are copied from the users' Secrets into composed ones, each key alone: one
 * that is there twice or cannot work is refused and the others stay (Envoy Gateway answers 500 to everybody for a key that
 * is there twice, and for a Secret that is missing). A Secret that is gone or not fetched takes nobody's key away (S1);
 * what revokes is to take the key out of its Secret, or the Secret out of the claim.
 */
import { type KubernetesObject, readList, readString } from '../../kubernetes/object.ts';
import type { Caller } from '../caller-auth.ts';
import { callerTitle, hasExpired, type Keys, keySecretKey, keySecretName, readKeys } from './key-secret.ts';
import { type Entry, type JudgedKeys, refuseKeys } from './refuse-keys.ts';

/** What was fetched of a user's Secret; undefined while nothing was. */
export type FetchedSecret =
  | { readonly state: 'Absent' }
  | { readonly state: 'Present'; readonly secret: KubernetesObject };

export interface CallerScene {
  readonly gateway: string;
  readonly namespace: string;
  readonly callers: readonly Caller[];
  readonly fetched: (secretName: string) => FetchedSecret | undefined;
  readonly observed: ReadonlyMap<string, KubernetesObject>;
  /** The policy that admits callers, as observed. */
  readonly policy: KubernetesObject | undefined;
  readonly now: Date;
  readonly randomKey: () => string;
}

/** One entry of the claim, and what is made of it. */
export interface CallerSeen {
  readonly caller: Caller;
  readonly state: 'Admitted' | 'Waiting' | 'Expired';
  /** The keys to compose; undefined where there is nothing to compose. */
  readonly keys: Keys | undefined;
  /** The Secret that the policy may name; undefined while naming one would break it. */
  readonly secretName: string | undefined;
  /** What is refused, without the key. */
  readonly refusals: readonly string[];
}

/** Judges every entry, in the order of the claim. */
export function admitCallers(scene: CallerScene): readonly CallerSeen[] {
  const entries = scene.callers.map((caller) => readEntry(caller, scene));
  const named = new Set(readList(scene.policy, ['spec', 'apiKeyAuth', 'credentialRefs']).map(nameOf));
  return refuseKeys(entries).map((judged) => judgeEntry(judged, { gateway: scene.gateway, named }));
}

/** The gateway, and the Secrets that its policy names. */
interface Naming {
  readonly gateway: string;
  readonly named: ReadonlySet<string>;
}

function judgeEntry({ entry, keys, refusals }: JudgedKeys, naming: Naming): CallerSeen {
  const { caller, observed, missing } = entry;
  const plain = {
    caller,
    keys,
    secretName: undefined,
    refusals: missing === undefined ? refusals : [missing, ...refusals],
  };
  if (entry.isExpired) return { ...plain, state: 'Expired' };
  const secretName = namedSecret(entry, keys, naming);
  if (keys.size === 0 && observed === undefined) return { ...plain, state: 'Waiting', keys: undefined, secretName };
  const state = keys.size > 0 && secretName !== undefined ? 'Admitted' : 'Waiting';
  return { ...plain, state, secretName };
}

function readEntry(caller: Caller, scene: CallerScene): Entry {
  const observed = scene.observed.get(keySecretKey(caller));
  const held = readKeys(observed);
  const entry = { caller, observed, held };
  if (hasExpired(caller, observed, scene.now)) return { ...entry, wanted: new Map(), isExpired: true };
  const { id = '', secretRef } = caller;
  if (secretRef === undefined) {
    const kept = held.get(id) ?? btoa(scene.randomKey());
    return { ...entry, wanted: new Map([[id, kept]]), isExpired: false };
  }
  const fetched = scene.fetched(secretRef.name);
  if (fetched?.state === 'Present') return { ...entry, wanted: readKeys(fetched.secret), isExpired: false };
  const kept = held.size > 0 ? '; its callers are admitted as before' : '';
  const missing = `${callerTitle(caller)} does not exist in namespace "${scene.namespace}"${kept}`;
  return { ...entry, wanted: held, isExpired: false, ...(fetched === undefined ? {} : { missing }) };
}

/**
 * The Secret that the policy may name: the composed one once it is observed, or named and about to be made again. A
 * policy of an earlier version names the user's own Secret, and does so until the composed one is there.
 */
function namedSecret({ caller, observed }: Entry, keys: Keys, { gateway, named }: Naming): string | undefined {
  const composed = keySecretName(gateway, caller);
  if (observed !== undefined || (keys.size > 0 && named.has(composed))) return composed;
  const own = caller.secretRef?.name;
  return own !== undefined && named.has(own) ? own : undefined;
}

function nameOf(ref: unknown): string {
  return readString(ref, ['name']) ?? '';
}
