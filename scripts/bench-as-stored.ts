/**
 * Objects as an API server returns them, which is two to three times what somebody wrote: it records for every field
 * who owns it. Half of a large request is this. Not done: defaulted fields.
 */
import { isRecord, type Json, type JsonObject, type KubernetesObject } from '../domain/kubernetes/object.ts';

/** The manager under which core applies composed resources (crossplane v2.4.0: a prefix and a SHA-256, read 2026-12-01). */
const coreManager = `apiextensions.crossplane.io/composed/${'3f2a9c41'.repeat(8)}`;

const stored = '2026-12-01T11:40:00Z';

/** The object with all that the API server adds: version, times, and the owner of each field. */
export function asStored(object: KubernetesObject, manager: string = coreManager): KubernetesObject {
  const { apiVersion, kind: _kind, metadata, status, ...content } = object;
  const { labels, annotations, ownerReferences } = metadata;
  const entry = { apiVersion, time: stored, fieldsType: 'FieldsV1' };
  const applied = { metadata: { labels, annotations, ownerReferences }, ...content };
  const managedFields = [
    { ...entry, manager, operation: 'Apply', fieldsV1: fieldsOf(applied) },
    ...(status === undefined
      ? []
      : [
          {
            ...entry,
            manager: 'controller',
            operation: 'Update',
            subresource: 'status',
            fieldsV1: fieldsOf({ status }),
          },
        ]),
  ];
  const version = { generation: 1, resourceVersion: '48213377', creationTimestamp: stored };
  return { ...object, metadata: { ...version, ...metadata, managedFields } };
}

/** Fields by which the API server tells the items of a list apart; a list without one is owned as a whole. */
const itemKeys = ['name', 'type', 'mountPath', 'uid'];

/** The `fieldsV1` set of a value: one entry for each field and each item in it. */
export function fieldsOf(value: unknown): JsonObject {
  if (Array.isArray(value)) return fieldsOfItems(value);
  if (!isRecord(value)) return {};
  const present = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(present.map(([field, child]) => [`f:${field}`, fieldsOf(child)]));
}

function fieldsOfItems(items: readonly unknown[]): JsonObject {
  const records = items.filter(isRecord);
  const key = itemKeys.find((name) => records.every((item) => typeof item[name] === 'string'));
  if (key === undefined || records.length < items.length || items.length === 0) return {};
  return Object.fromEntries(
    records.map((item): [string, Json] => [
      `k:${JSON.stringify({ [key]: item[key] })}`,
      { '.': {}, ...fieldsOf(item) },
    ]),
  );
}
