import { isRecord } from '../../domain/kubernetes/object.ts';

/** google.protobuf.Struct and Value as protobufjs holds them. */
export interface Struct {
  readonly fields?: Readonly<Record<string, Value>>;
}

export interface Value {
  readonly nullValue?: number;
  readonly numberValue?: number;
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly structValue?: Struct;
  readonly listValue?: { readonly values?: readonly Value[] };
}

/** A plain object as a Struct; fields that are undefined are left out. */
export function toStruct(object: Readonly<Record<string, unknown>>): Struct {
  const fields = Object.entries(object).filter(([, value]) => value !== undefined);
  return { fields: Object.fromEntries(fields.map(([name, value]) => [name, toValue(value)])) };
}

function toValue(value: unknown): Value {
  if (value === null) return { nullValue: 0 };
  if (typeof value === 'number') return { numberValue: value };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (Array.isArray(value)) return { listValue: { values: value.map(toValue) } };
  if (isRecord(value)) return { structValue: toStruct(value) };
  throw new Error(`Cannot send a ${typeof value} to crossplane-core: only what JSON has can be sent`);
}

/** A Struct as a plain object. */
export function fromStruct(struct: Struct): Record<string, unknown> {
  return Object.fromEntries(Object.entries(struct.fields ?? {}).map(([name, value]) => [name, fromValue(value)]));
}

function fromValue(value: Value): unknown {
  if (value.structValue !== undefined) return fromStruct(value.structValue);
  if (value.listValue !== undefined) return (value.listValue.values ?? []).map(fromValue);
  return value.stringValue ?? value.numberValue ?? value.boolValue ?? null;
}
