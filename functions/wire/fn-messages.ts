/**
 * The messages of Crossplane's fn/v1 with one change: what a function may only pass on is declared as bytes, which is
 * the same on the wire. Nobody pays for what nobody reads, and what was not touched is sent on as the bytes that came,
 * with fields that this version does not know. Refused: the messages of the SDK, which turn every Struct of a request
 * into objects and back; that was nearly all that a call cost.
 */
import protobuf from 'protobufjs';
import { UndecodableRequest } from './undecodable-request.ts';

/** As in crossplane v2.4.0, proto/fn/v1 (read 2026-12-02), but for the fields that no function of ours knows. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message RunFunctionRequest {
    RequestMeta meta = 1;
    State observed = 2;
    State desired = 3;
    optional bytes input = 4; // Struct
    Context context = 5;
    map<string, bytes> required_resources = 8; // Resources
    map<string, bytes> required_schemas = 9; // Schema
  }
  message RequestMeta { string tag = 1; }
  message State {
    Resource composite = 1;
    map<string, bytes> resources = 2; // Resource
  }
  message Resource {
    optional bytes resource = 1; // Struct
    int32 ready = 3;
  }
  message Resources { repeated Resource items = 1; }
  message Schema { optional bytes openapi_v3 = 1; } // Struct
  message Context { map<string, bytes> fields = 1; } // Struct, of Values
  message RunFunctionResponse {
    ResponseMeta meta = 1;
    State desired = 2;
    repeated Result results = 3;
    Context context = 4;
    Requirements requirements = 5;
    repeated Condition conditions = 6;
  }
  message ResponseMeta { string tag = 1; Duration ttl = 2; }
  message Duration { int32 seconds = 1; }
  message Result { int32 severity = 1; string message = 2; optional string reason = 3; optional int32 target = 4; }
  message Condition {
    string type = 1;
    int32 status = 2;
    string reason = 3;
    optional string message = 4;
    optional int32 target = 5;
  }
  message Requirements { map<string, ResourceSelector> resources = 2; map<string, ResourceSelector> schemas = 3; }
  message ResourceSelector {
    string api_version = 1;
    string kind = 2;
    optional string match_name = 3;
    MatchLabels match_labels = 4;
    optional string namespace = 5;
  }
  message MatchLabels { map<string, string> labels = 1; }
`);

type Named<T> = Readonly<Record<string, T>>;

/** What a function is asked. */
export interface FnRequest {
  readonly meta: { readonly tag: string } | null;
  readonly observed: FnState | null;
  readonly desired: FnState | null;
  readonly input: Buffer | null;
  readonly context: FnContext | null;
  readonly requiredResources: Named<Buffer>;
  readonly requiredSchemas: Named<Buffer>;
}

/** Fields that this version does not know: whoever changes a message takes them along. */
interface Unknowns {
  readonly $unknowns?: readonly Uint8Array[] | undefined;
}

export interface FnState extends Unknowns {
  readonly composite: FnResource | null;
  readonly resources: Named<Uint8Array>;
}

export interface FnResource extends Unknowns {
  readonly resource: Uint8Array | null;
  readonly ready: number;
}

export interface FnContext extends Unknowns {
  readonly fields: Named<Uint8Array>;
}

/** What a function answers. */
export interface FnResponse {
  readonly meta: { readonly tag: string; readonly ttl?: { readonly seconds: number } };
  readonly desired: FnState | null;
  readonly results: readonly FnResult[];
  readonly conditions?: readonly FnCondition[];
  readonly context: FnContext | null;
  readonly requirements?: FnRequirements | undefined;
}

export interface FnResult {
  readonly severity: number;
  readonly message: string;
  readonly reason: string;
  readonly target: number;
}

export interface FnCondition {
  readonly type: string;
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly target: number;
}

export interface FnRequirements {
  readonly resources: Named<FnSelector>;
  readonly schemas: Named<FnSelector>;
}

export interface FnSelector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly matchName?: string | undefined;
  readonly matchLabels?: { readonly labels: Named<string> } | undefined;
  readonly namespace?: string | undefined;
}

export const fnReady = { Unspecified: 0, True: 1, False: 2 } as const;
export const fnSeverity = { Fatal: 1, Warning: 2, Normal: 3 } as const;
export const fnStatus = { Unknown: 1, True: 2, False: 3 } as const;
export const fnTarget = { Composite: 1 } as const;

const types = {
  request: root.lookupType('RunFunctionRequest'),
  response: root.lookupType('RunFunctionResponse'),
  resource: root.lookupType('Resource'),
  resources: root.lookupType('Resources'),
  schema: root.lookupType('Schema'),
};

/** A request with all that is declared as bytes still in bytes. Throws `UndecodableRequest`. */
export function decodeRequest(bytes: Uint8Array): FnRequest {
  return decode(types.request, bytes);
}

/** One resource of a state. Throws `UndecodableRequest`. */
export function decodeResource(bytes: Uint8Array): FnResource {
  return decode(types.resource, bytes);
}

/** What was found for one requirement. Throws `UndecodableRequest`. */
export function decodeResources(bytes: Uint8Array): { readonly items: readonly FnResource[] } {
  return decode(types.resources, bytes);
}

/** Tells whether a schema was found. Throws `UndecodableRequest`. */
export function hasSchema(bytes: Uint8Array): boolean {
  return decode<{ readonly openapiV3: Uint8Array | null }>(types.schema, bytes).openapiV3 !== null;
}

export function encodeResource(resource: FnResource): Uint8Array {
  return types.resource.encode(resource).finish();
}

export function encodeResponse(response: FnResponse): Uint8Array {
  return types.response.encode(response).finish();
}

function decode<T>(type: protobuf.Type, bytes: Uint8Array): T {
  try {
    const reader = protobuf.Reader.create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    reader.discardUnknown = false;
    return type.decode(reader) as T;
  } catch (error) {
    throw new UndecodableRequest(error instanceof Error ? error.message : String(error));
  }
}
