/**
 * Restores what we rendered last from what is observed (rule S1). The API server records per manager which fields it
 * owns; core applies a composed resource under a manager of its own, so those entries are exactly our last rendering.
 * A copy of the whole observed object is refused: it would take over defaulted fields and those of other writers.
 * Not done here: deciding whether something should be restored.
 */
import { canonicalJson } from './canonical-json.ts';
import { compositeLabel, compositionResourceName, group } from './label.ts';
import { isRecord, type Json, type JsonObject, type KubernetesObject, type ManagedFieldsEntry } from './object.ts';

/** Prefix of the field managers under which core applies composed resources (crossplane v2.4.0, read 2026-12-01). */
const composedManagerPrefix = 'apiextensions.crossplane.io/composed/';

/**
 * The object as we rendered it last: the fields that core's manager for composed resources owns, without the metadata
 * that core adds itself. Where nothing records owners (an offline render) it is all but status and foreign metadata.
 */
export function restoreRendered(observed: KubernetesObject): KubernetesObject {
  const { managedFields } = observed.metadata;
  const entries = (Array.isArray(managedFields) ? managedFields : []).filter(isRecord);
  const owned = entries.length > 0 ? pickOwned(observed, entries) : withoutStatus(observed);
  return { ...owned, apiVersion: observed.apiVersion, kind: observed.kind, metadata: ownMetadata(observed, owned) };
}

function pickOwned(observed: KubernetesObject, entries: readonly ManagedFieldsEntry[]): Record<string, unknown> {
  const main = entries.filter((entry) => (entry.subresource ?? '') === '');
  const ours = unionOf(main.filter(isOurs));
  const others = unionOf(main.filter((entry) => !isOurs(entry)));
  if (Object.keys(ours).length === 0) return {};
  const picked = pickFields(observed as unknown as Json, ours, others);
  return isRecord(picked) ? picked : {};
}

function isOurs(entry: ManagedFieldsEntry): boolean {
  return entry.operation === 'Apply' && String(entry.manager ?? '').startsWith(composedManagerPrefix);
}

function unionOf(entries: readonly ManagedFieldsEntry[]): JsonObject {
  return entries.reduce<JsonObject>(
    (union, { fieldsV1 }) => (isRecord(fieldsV1) ? unionFields(union, fieldsV1) : union),
    {},
  );
}

function unionFields(left: JsonObject, right: JsonObject): JsonObject {
  const union: Record<string, Json | undefined> = { ...left };
  for (const [name, value] of Object.entries(right)) {
    union[name] = isRecord(value) ? unionFields(fieldsAt(union, name), value as JsonObject) : value;
  }
  return union;
}

/** The set of a child; empty where there is none. */
function fieldsAt(fields: JsonObject, name: string): JsonObject {
  const child = fields[name];
  return isRecord(child) ? (child as JsonObject) : {};
}

/**
 * The part of a value that a `fieldsV1` set names: `f:` a field, `k:` a list item by its keys, `v:` by its value, `i:`
 * by its index, `.` the item itself. An empty set owns the value whole, but for what others have put into it since.
 */
function pickFields(value: Json | undefined, fields: JsonObject, others: JsonObject): Json | undefined {
  if (value === undefined) return undefined;
  const names = Object.keys(fields).filter((name) => name !== '.');
  if (names.length === 0) return isRecord(value) && '.' in fields ? {} : withoutOthers(value, others);
  if (Array.isArray(value)) return pickItems(value as readonly Json[], fields, others);
  return isRecord(value) ? pickChildren(value as JsonObject, fields, others) : value;
}

function withoutOthers(value: Json, others: JsonObject): Json {
  if (Array.isArray(value))
    return (value as readonly Json[]).filter((item, index) => nameOfItem(others, item, index) === undefined);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).filter(([field]) => !(`f:${field}` in others)));
}

function pickChildren(value: JsonObject, fields: JsonObject, others: JsonObject): Json {
  const picked: Record<string, Json> = {};
  for (const name of Object.keys(fields).filter((candidate) => candidate.startsWith('f:'))) {
    const child = pickFields(value[name.slice(2)], fieldsAt(fields, name), fieldsAt(others, name));
    if (child !== undefined) picked[name.slice(2)] = child;
  }
  return picked;
}

function pickItems(items: readonly Json[], fields: JsonObject, others: JsonObject): Json {
  const picked: Json[] = [];
  for (const [index, item] of items.entries()) {
    const name = nameOfItem(fields, item, index);
    if (name !== undefined) picked.push(pickItem({ name, item, fields, others }));
  }
  return picked;
}

interface NamedItem {
  readonly name: string;
  readonly item: Json;
  readonly fields: JsonObject;
  readonly others: JsonObject;
}

function pickItem({ name, item, fields, others }: NamedItem): Json {
  if (!name.startsWith('k:') || !isRecord(item)) return item;
  const child = pickFields(item as JsonObject, fieldsAt(fields, name), fieldsAt(others, name));
  const keys = readJson(name);
  return { ...(isRecord(keys) ? (keys as JsonObject) : {}), ...(isRecord(child) ? (child as JsonObject) : {}) };
}

/** The name by which a set knows an item of a list; undefined when it does not name it. */
function nameOfItem(fields: JsonObject, item: Json, index: number): string | undefined {
  return Object.keys(fields).find((name) => namesItem(name, item, index));
}

function namesItem(name: string, item: Json, index: number): boolean {
  if (name.startsWith('i:')) return Number(name.slice(2)) === index;
  if (name.startsWith('v:')) return canonicalJson(readJson(name)) === canonicalJson(item);
  if (!name.startsWith('k:') || !isRecord(item)) return false;
  const keys = readJson(name);
  return isRecord(keys) && Object.entries(keys).every(([field, value]) => item[field] === value);
}

/** The JSON behind the two letters of a name; undefined when it is none. */
function readJson(name: string): unknown {
  try {
    return JSON.parse(name.slice(2));
  } catch {
    return undefined;
  }
}

function withoutStatus(observed: KubernetesObject): Record<string, unknown> {
  const { status: _status, ...rest } = observed;
  return rest;
}

/** Name, namespace, and the labels and annotations that we rendered; core adds its own again. */
function ownMetadata(observed: KubernetesObject, owned: Record<string, unknown>): KubernetesObject['metadata'] {
  const { name, namespace } = observed.metadata;
  const rendered = isRecord(owned.metadata) ? (owned.metadata as KubernetesObject['metadata']) : {};
  const labels = omitKeys(rendered.labels, isCoreLabel);
  const annotations = { ...omitKeys(rendered.annotations, isCoreAnnotation), ...ownAnnotations(observed) };
  return {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  };
}

/** Our own annotations on an observed object: memory that every emission must carry on, or it is lost. */
export function ownAnnotations(observed: KubernetesObject): Record<string, string> {
  return omitKeys(observed.metadata.annotations, (key) => !key.startsWith(`${group}/`));
}

function isCoreLabel(key: string): boolean {
  return key === compositeLabel || key.startsWith('crossplane.io/claim-') || key === 'crossplane.io/in-use';
}

function isCoreAnnotation(key: string): boolean {
  return (
    key === compositionResourceName ||
    key === 'kubectl.kubernetes.io/last-applied-configuration' ||
    key.startsWith('crossplane.io/external-create-')
  );
}

function omitKeys(
  map: Readonly<Record<string, string>> | undefined,
  isOmitted: (key: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !isOmitted(key)));
}
