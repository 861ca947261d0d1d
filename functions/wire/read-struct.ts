/**
 * Reads a google.protobuf.Struct or Value out of bytes, whole or only the fields that are wanted: what is not wanted is
 * stepped over by its length. Every length is held against the end of what it lies in, so hostile bytes cost no more
 * than others. Where the protocol leaves a choice it decides as the SDK does, but for one: of several kinds of one
 * value the last counts.
 */
import { UndecodableRequest } from './undecodable-request.ts';

/** What is read: everything, or of each field what this says, undefined for nothing. A list hands it on to its items. */
export type Wanted = true | ((field: string) => Wanted | undefined);

/** Far above the nesting of any object, far below that at which code that walks over it would end. */
const mostLevels = 250;

/** The message that is read goes from `at` to `end`. */
interface Cursor {
  readonly bytes: Buffer;
  at: number;
  end: number;
  levels: number;
}

/** A Struct as a plain object. Throws `UndecodableRequest`. */
export function readStruct(bytes: Uint8Array, wanted: Wanted = true): Record<string, unknown> {
  return readFields(cursorOf(bytes), wanted);
}

/** A Value as JSON; undefined when it is of no kind. Throws `UndecodableRequest`. */
export function readValue(bytes: Uint8Array): unknown {
  return readKind(cursorOf(bytes), true);
}

function cursorOf({ buffer, byteOffset, byteLength }: Uint8Array): Cursor {
  return { bytes: Buffer.from(buffer, byteOffset, byteLength), at: 0, end: byteLength, levels: 0 };
}

function readFields(cursor: Cursor, wanted: Wanted): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  readEach(cursor, () => {
    const name = findValue(cursor);
    const below = wanted === true ? true : wanted(name);
    const value = below === undefined ? undefined : readKind(cursor, below);
    if (value !== undefined && name !== '__proto__') object[name] = value;
  });
  return object;
}

function readItems(cursor: Cursor, wanted: Wanted): unknown[] {
  const items: unknown[] = [];
  readEach(cursor, () => items.push(readKind(cursor, wanted)));
  return items;
}

/** Calls `read` within each message of a repeated field, which has the number 1 in a Struct and in a list. */
function readEach(cursor: Cursor, read: () => void): void {
  const { end } = cursor;
  while (cursor.at < end) {
    const tag = readVarint(cursor);
    if (tag !== 0x0a) skip(cursor, tag);
    else {
      const next = readLength(cursor);
      cursor.end = next;
      read();
      cursor.at = next;
      cursor.end = end;
    }
  }
}

/** The name of a field; what is left to read is its value, which may come first, and is empty where there is none. */
function findValue(cursor: Cursor): string {
  let name = '';
  let [from, to] = [cursor.end, cursor.end];
  while (cursor.at < cursor.end) {
    const tag = readVarint(cursor);
    if (tag === 0x0a) name = readText(cursor);
    else if (tag === 0x12) {
      to = readLength(cursor);
      from = cursor.at;
      cursor.at = to;
    } else skip(cursor, tag);
  }
  cursor.at = from;
  cursor.end = to;
  return name;
}

function readKind(cursor: Cursor, wanted: Wanted): unknown {
  cursor.levels += 1;
  if (cursor.levels > mostLevels) throw new UndecodableRequest(`values are nested in more than ${mostLevels} levels`);
  let value: unknown;
  while (cursor.at < cursor.end) {
    const tag = readVarint(cursor);
    if (tag === 0x2a || tag === 0x32) value = readNested(cursor, tag === 0x2a ? readFields : readItems, wanted);
    else value = readScalar(cursor, tag, value);
  }
  cursor.levels -= 1;
  return value;
}

function readNested(cursor: Cursor, read: (cursor: Cursor, wanted: Wanted) => unknown, wanted: Wanted): unknown {
  const { end } = cursor;
  cursor.end = readLength(cursor);
  const value = read(cursor, wanted);
  cursor.end = end;
  return value;
}

function readScalar(cursor: Cursor, tag: number, before: unknown): unknown {
  switch (tag) {
    case 0x08:
      readVarint(cursor);
      return null;
    case 0x11:
      return cursor.bytes.readDoubleLE(move(cursor, 8));
    case 0x1a:
      return readText(cursor);
    case 0x20:
      return readVarint(cursor) !== 0;
    default:
      skip(cursor, tag);
      return before;
  }
}

/** Short text that was read before, by a hash of its bytes: the names of fields come again and again. */
const known: string[] = Array.from({ length: 2048 }, () => '');
const longestKnown = 40;

function readText(cursor: Cursor): string {
  const { bytes } = cursor;
  const end = readLength(cursor);
  const at = move(cursor, end - cursor.at);
  if (end - at > longestKnown) return bytes.toString('utf8', at, end);
  let hash = 0;
  for (let index = at; index < end; index += 1) hash = (Math.imul(hash, 31) + (bytes[index] ?? 0)) | 0;
  const place = (hash ^ (hash >>> 11)) & (known.length - 1);
  const before = known[place] ?? '';
  if (before.length === end - at && endsWith(cursor, before)) return before;
  const text = bytes.toString('utf8', at, end);
  known[place] = text;
  return text;
}

/** Tells whether the bytes before the cursor are a text; text of as many characters is ASCII. */
function endsWith({ bytes, at }: Cursor, text: string): boolean {
  for (let index = 1; index <= text.length; index += 1) {
    if (text.charCodeAt(text.length - index) !== bytes[at - index]) return false;
  }
  return true;
}

/** Where that ends which says its length. */
function readLength(cursor: Cursor): number {
  const length = readVarint(cursor);
  if (cursor.at + length > cursor.end) throw new UndecodableRequest(`${length} bytes lie in fewer`);
  return cursor.at + length;
}

/** Seven bits a byte, mostly one byte, ten at most; beyond 2^53 it is not exact, which no length and no tag is. */
function readVarint(cursor: Cursor): number {
  const { bytes } = cursor;
  const first = cursor.at < cursor.end ? (bytes[cursor.at] ?? 0) : 0x80;
  if (first < 0x80) {
    cursor.at += 1;
    return first;
  }
  let value = 0;
  for (let scale = 1; cursor.at < cursor.end && scale < 2 ** 70; scale *= 0x80) {
    const byte = bytes[cursor.at] ?? 0;
    cursor.at += 1;
    if (byte < 0x80) return value + byte * scale;
    value += (byte & 0x7f) * scale;
  }
  throw new UndecodableRequest('a number does not end');
}

/** Steps over a field. */
function skip(cursor: Cursor, tag: number): void {
  const wireType = tag < 8 ? -1 : tag % 8;
  if (wireType === 0) readVarint(cursor);
  else if (wireType === 1) move(cursor, 8);
  else if (wireType === 2) cursor.at = readLength(cursor);
  else if (wireType === 5) move(cursor, 4);
  else throw new UndecodableRequest(`${tag} is no tag of a field`);
}

/** Where the cursor was before it was moved. */
function move(cursor: Cursor, length: number): number {
  const { at } = cursor;
  if (at + length > cursor.end) throw new UndecodableRequest(`${length} bytes lie in fewer`);
  cursor.at = at + length;
  return at;
}
