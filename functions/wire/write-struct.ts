/**
 * Writes JSON as a google.protobuf.Struct or Value in one pass, from the last byte to the first: when the length of a
 * value is written, in front of it, the value is there already. The bytes are those that the SDK writes.
 */

/** The same for every write; it grows to what one needs, and is as it was after it. Written is what begins at `at`. */
const startSize = 64 * 1024;
const sink = { bytes: Buffer.allocUnsafe(startSize), at: startSize };
/** Text up to here is written by a loop, which is faster than the way into Node. */
const longestLooped = 24;

/** A plain object of JSON as a Struct; fields that are undefined are left out. */
export function writeStruct(object: object): Uint8Array {
  sink.at = sink.bytes.length;
  writeFields(object as Readonly<Record<string, unknown>>);
  return takeWritten();
}

/** JSON as a Value. */
export function writeValue(value: unknown): Uint8Array {
  sink.at = sink.bytes.length;
  writeKind(value);
  return takeWritten();
}

function takeWritten(): Uint8Array {
  const bytes = Buffer.from(sink.bytes.subarray(sink.at));
  if (sink.bytes.length > startSize) sink.bytes = Buffer.allocUnsafe(startSize);
  return bytes;
}

/** A value of its kind; undefined, which only a list can hold, is of none. */
function writeKind(value: unknown): void {
  const size = written();
  if (value === null) writeByte(0x08, 0);
  else if (typeof value === 'string') writeText(0x1a, value);
  else if (typeof value === 'number') writeDouble(0x11, value);
  else if (typeof value === 'boolean') writeByte(0x20, Number(value));
  else if (Array.isArray(value)) {
    writeItems(value);
    writeLength(0x32, size);
  } else if (typeof value === 'object') {
    writeFields(value as Readonly<Record<string, unknown>>);
    writeLength(0x2a, size);
  } else if (value !== undefined) throw new TypeError(`Cannot write a ${typeof value}: it is no JSON`);
}

function writeFields(object: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(object);
  for (let index = names.length - 1; index >= 0; index -= 1) {
    const name = names[index] ?? '';
    const value = object[name];
    if (value === undefined) continue;
    const size = written();
    writeKind(value);
    writeLength(0x12, size);
    if (name !== '') writeText(0x0a, name);
    writeLength(0x0a, size);
  }
}

function writeItems(items: readonly unknown[]): void {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const size = written();
    writeKind(items[index]);
    writeLength(0x0a, size);
  }
}

function writeText(tag: number, text: string): void {
  const size = written();
  if (text.length > longestLooped || !writeAscii(text)) {
    const length = Buffer.byteLength(text);
    const at = reserve(length);
    sink.bytes.write(text, at, length);
  }
  writeLength(tag, size);
}

/** Writes text of ASCII; false when it is other text, of which nothing is written. */
function writeAscii(text: string): boolean {
  const { length } = text;
  const at = reserve(length);
  const { bytes } = sink;
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) {
      sink.at += length;
      return false;
    }
    bytes[at + index] = code;
  }
  return true;
}

function writeDouble(tag: number, value: number): void {
  const at = reserve(9);
  sink.bytes[at] = tag;
  sink.bytes.writeDoubleLE(value, at + 1);
}

function writeByte(tag: number, byte: number): void {
  const at = reserve(2);
  sink.bytes[at] = tag;
  sink.bytes[at + 1] = byte;
}

/** In front of all that was written since there were so many bytes: a tag, and their number, seven bits a byte. */
function writeLength(tag: number, size: number): void {
  const length = written() - size;
  const count = length < 0x80 ? 1 : Math.ceil((32 - Math.clz32(length)) / 7);
  const at = reserve(count + 1);
  const { bytes } = sink;
  bytes[at] = tag;
  for (let index = 1; index < count; index += 1) bytes[at + index] = (length >>> (7 * (index - 1))) | 0x80;
  bytes[at + count] = length >>> (7 * (count - 1));
}

function written(): number {
  return sink.bytes.length - sink.at;
}

/** Takes so many bytes in front of what was written; where they begin. */
function reserve(size: number): number {
  if (sink.at < size) {
    const larger = Buffer.allocUnsafe(Math.max(sink.bytes.length * 2, written() + size));
    const at = larger.length - written();
    sink.bytes.copy(larger, at, sink.at);
    Object.assign(sink, { bytes: larger, at });
  }
  sink.at -= size;
  return sink.at;
}
