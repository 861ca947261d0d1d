/**
 * The messages of `crossplane-core internal render` and the two functions that speak them. Only the field numbers count
 * on the wire (crossplane v2.4.0, proto/render/v1alpha1, checked against the binary 2026-12-01).
 */
import protobuf from 'protobufjs';
import { fromStruct, type Struct, toStruct } from './struct.ts';

const { root } = protobuf.parse(`
  syntax = "proto3";
  message RenderRequest { CompositeInput composite = 2; }
  message RenderResponse { CompositeOutput composite = 2; }
  message CompositeInput {
    Struct composite_resource = 1;
    Struct composition = 2;
    repeated FunctionInput functions = 3;
    repeated Struct observed_resources = 4;
    repeated Struct required_resources = 5;
    repeated Struct required_schemas = 7;
    Struct composite_resource_definition = 8;
  }
  message FunctionInput { string name = 1; string address = 2; }
  message CompositeOutput {
    Struct composite_resource = 1;
    repeated Struct composed_resources = 2;
    repeated Struct deleted_resources = 3;
    repeated Event events = 4;
    repeated Struct required_resources = 5;
    repeated Struct required_schemas = 6;
  }
  message Event { string type = 1; string reason = 2; string message = 3; }
  message Struct { map<string, Value> fields = 1; }
  message ListValue { repeated Value values = 1; }
  message Value {
    oneof kind {
      int32 null_value = 1;
      double number_value = 2;
      string string_value = 3;
      bool bool_value = 4;
      Struct struct_value = 5;
      ListValue list_value = 6;
    }
  }
`);

type Document = Readonly<Record<string, unknown>>;

/** Everything that core's reconcile of one XR starts from. */
export interface CoreRequest {
  readonly xr: Document;
  readonly composition: Document;
  readonly definition: Document;
  /** Address of each function by the name that the Composition calls it; plaintext. */
  readonly functions: Readonly<Record<string, string>>;
  readonly observed: readonly Document[];
  readonly required: readonly Document[];
  readonly schemas: readonly Document[];
}

/** What core answers, as plain objects; the order of its lists is random. */
export interface CoreResponse {
  readonly composite: Document;
  readonly composed: readonly Document[];
  readonly deleted: readonly Document[];
  readonly events: readonly { readonly type: string; readonly reason: string; readonly message: string }[];
  readonly requiredResources: readonly Document[];
  readonly requiredSchemas: readonly Document[];
}

/** The bytes of a request. */
export function encodeRequest(request: CoreRequest): Uint8Array {
  const type = root.lookupType('RenderRequest');
  const composite = {
    compositeResource: toStruct(request.xr),
    composition: toStruct(request.composition),
    functions: Object.entries(request.functions).map(([name, address]) => ({ name, address })),
    observedResources: request.observed.map(toStruct),
    requiredResources: request.required.map(toStruct),
    requiredSchemas: request.schemas.map(toStruct),
    compositeResourceDefinition: toStruct(request.definition),
  };
  return type.encode(type.create({ composite })).finish();
}

interface DecodedOutput {
  readonly compositeResource?: Struct;
  readonly composedResources: readonly Struct[];
  readonly deletedResources: readonly Struct[];
  readonly events: readonly { readonly type: string; readonly reason: string; readonly message: string }[];
  readonly requiredResources: readonly Struct[];
  readonly requiredSchemas: readonly Struct[];
}

/** The response in bytes. Throws when it holds no reconciled XR. */
export function decodeResponse(bytes: Uint8Array): CoreResponse {
  const type = root.lookupType('RenderResponse');
  const { composite } = type.toObject(type.decode(bytes), { arrays: true }) as { composite?: DecodedOutput };
  if (composite?.compositeResource === undefined) {
    throw new Error('Cannot read the answer of crossplane-core: it holds no composite resource');
  }
  return {
    composite: fromStruct(composite.compositeResource),
    composed: composite.composedResources.map(fromStruct),
    deleted: composite.deletedResources.map(fromStruct),
    events: composite.events.map(({ type, reason, message }) => ({ type, reason, message })),
    requiredResources: composite.requiredResources.map(fromStruct),
    requiredSchemas: composite.requiredSchemas.map(fromStruct),
  };
}
