import { isDeepStrictEqual } from 'node:util';
import { RunFunctionRequest } from '@crossplane-org/function-sdk-typescript';
import { decodeRequest } from '../functions/wire/fn-messages.ts';
import { readStruct } from '../functions/wire/read-struct.ts';
import { writeStruct } from '../functions/wire/write-struct.ts';

type Fields = Record<string, unknown>;

/** A Struct as the SDK writes it: the input of a request is one. */
export function writeBySdk(input: Fields): Uint8Array {
  const bytes = RunFunctionRequest.encode(RunFunctionRequest.fromPartial({ input })).finish();
  return decodeRequest(bytes).input ?? new Uint8Array();
}

/** A Struct as the SDK reads it. */
function readBySdk(bytes: Uint8Array): Fields {
  const length = RunFunctionRequest.encode(RunFunctionRequest.fromPartial({ input: {} }));
  return RunFunctionRequest.decode(length.uint32(34).bytes(bytes).finish()).input ?? {};
}

/** Where ours and the SDK's differ, either way; undefined where they do not. */
export function findDifference(object: Fields): string | undefined {
  const bytes = writeBySdk(object);
  if (Buffer.compare(writeStruct(object), bytes) !== 0) return 'the bytes written';
  if (!isDeepStrictEqual(readStruct(bytes), readBySdk(bytes))) return 'the object read';
  return undefined;
}
