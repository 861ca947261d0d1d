import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Caller } from '../caller-auth.ts';
import { callerTitle, type Keys } from './key-secret.ts';

/** One entry of the claim with the keys that it asks for. */
export interface Entry {
  readonly caller: Caller;
  readonly observed: KubernetesObject | undefined;
  /** Keys that are composed already. */
  readonly held: Keys;
  readonly wanted: Keys;
  readonly isExpired: boolean;
  /** Why the Secret of the claim says nothing. */
  readonly missing?: string;
}

export interface JudgedKeys {
  readonly entry: Entry;
  readonly keys: Keys;
  readonly refusals: readonly string[];
}

/** Who has an id or a key: the entry and the id in it. */
interface Holder {
  readonly entry: Entry;
  readonly id: string;
}

interface Taken {
  readonly ids: Map<string, Holder>;
  readonly values: Map<string, Holder>;
}

/** The keys of each entry that can be admitted together. A key that is in use comes before one that is new. */
export function refuseKeys(entries: readonly Entry[]): readonly JudgedKeys[] {
  const taken: Taken = { ids: new Map(), values: new Map() };
  for (const entry of entries)
    for (const [id, value] of entry.wanted)
      if (entry.held.get(id) === value && refusalOf({ entry, id }, value, taken) === undefined)
        take({ entry, id }, value, taken);
  return entries.map((entry) => judge(entry, taken));
}

function judge(entry: Entry, taken: Taken): JudgedKeys {
  const keys = new Map<string, string>();
  const refusals: string[] = [];
  for (const [id, value] of [...entry.wanted].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const refusal = refusalOf({ entry, id }, value, taken);
    const kept = refusal === undefined ? value : earlierKey({ entry, id }, value, taken);
    if (refusal !== undefined) refusals.push(kept === undefined ? refusal : `${refusal}; its earlier key stays`);
    if (kept === undefined) continue;
    take({ entry, id }, kept, taken);
    keys.set(id, kept);
  }
  return { entry, keys, refusals };
}

/** The key that a caller had before one that is refused: a slip of an edit takes nobody out (S1); an empty one revokes. */
function earlierKey(holder: Holder, value: string, taken: Taken): string | undefined {
  const held = holder.entry.held.get(holder.id);
  if (value === '' || held === undefined) return undefined;
  return refusalOf(holder, held, taken) === undefined ? held : undefined;
}

function take(holder: Holder, value: string, { ids, values }: Taken): void {
  ids.set(holder.id, holder);
  values.set(value, holder);
}

/** Why a key cannot be admitted, in words that do not contain it. */
function refusalOf({ entry, id }: Holder, value: string, { ids, values }: Taken): string | undefined {
  const named = `the key of "${id}" in ${callerTitle(entry.caller)}`;
  const key = atob(value);
  if (key === '') return `${named} is empty`;
  if (/\s/.test(key)) return `${named} has white space in it, such as a line break at its end`;
  const sameId = ids.get(id);
  if (sameId !== undefined && sameId.entry !== entry)
    return `${named} is not admitted, because ${callerTitle(sameId.entry.caller)} has that id too`;
  const sameKey = values.get(value);
  if (sameKey === undefined || (sameKey.entry === entry && sameKey.id === id)) return undefined;
  return `${named} is also that of "${sameKey.id}" in ${callerTitle(sameKey.entry.caller)}`;
}
