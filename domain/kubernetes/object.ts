/** The parts of `metadata` that the functions read or write. */
export interface ObjectMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** One entry of `metadata.managedFields`, as the API server writes it. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1?: JsonObject;
}

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [field: string]: Json | undefined;
}

/** Any Kubernetes object: a kind, its metadata, and the fields that its kind declares. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** Tells whether a decoded value can be read as a Kubernetes object. */
export function isKubernetesObject(value: unknown): value is KubernetesObject {
  if (!isRecord(value)) return false;
  return typeof value.apiVersion === 'string' && typeof value.kind === 'string' && isRecord(value.metadata);
}

/** Tells whether a value is a plain map: neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a value by its path, e.g. `['status', 'atProvider', 'status']`; undefined when any part is missing. */
export function readPath(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const part of path) {
    if (!isRecord(current) || !Object.hasOwn(current, part)) return undefined;
    current = current[part];
  }
  return current;
}

/** Reads a string by its path; undefined when it is missing or of another type. */
export function readString(value: unknown, path: readonly string[]): string | undefined {
  const found = readPath(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** Reads a number by its path; undefined when it is missing or of another type. */
export function readNumber(value: unknown, path: readonly string[]): number | undefined {
  const found = readPath(value, path);
  return typeof found === 'number' ? found : undefined;
}

/** Reads a list by its path; empty when it is missing or of another type. */
export function readList(value: unknown, path: readonly string[]): readonly unknown[] {
  const found = readPath(value, path);
  return Array.isArray(found) ? found : [];
}
