/** What the protocol leaves open, and what breaks it, byte by byte. */
import { describe, expect, test } from 'vitest';
import { decodeRequest, decodeResource, decodeResources, hasSchema } from './fn-messages.ts';
import { readStruct, readValue } from './read-struct.ts';
import { UndecodableRequest } from './undecodable-request.ts';

/** A field of a length, by the tag of its number. */
function field(tag: number, ...content: readonly (number | Uint8Array | string)[]): Buffer {
  const bytes = content.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part as string)));
  const body = Buffer.concat(bytes);
  return Buffer.concat([Buffer.of(tag), varint(body.length), body]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.of(...bytes, rest);
    bytes.push((rest % 128) | 0x80);
  }
}

const name = (text: string) => field(0x0a, text);
const value = (...content: readonly (number | Uint8Array)[]) => field(0x12, ...content);
const entry = (...content: readonly (number | Uint8Array)[]) => field(0x0a, ...content);
const text = (content: string) => field(0x1a, content);

describe('a Struct in which', () => {
  const rows: readonly [string, Uint8Array, unknown][] = [
    ['nothing is, is empty', Buffer.of(), {}],
    ['the value comes before the name has both', entry(value(text('x')), name('a')), { a: 'x' }],
    ['a field has no name has the empty one', entry(value(text('x'))), { '': 'x' }],
    ['a field has no value does not have it', entry(name('a')), {}],
    ['a value is of no kind does not have the field', entry(name('a'), value()), {}],
    [
      'an item of a list is of no kind has it as undefined',
      entry(name('a'), value(field(0x32, entry()))),
      { a: [undefined] },
    ],
    [
      'a field comes twice has the last',
      Buffer.concat([entry(name('a'), value(text('x'))), entry(name('a'), value(text('y')))]),
      { a: 'y' },
    ],
    ['a name comes twice has the last', entry(name('a'), name('b'), value(text('x'))), { b: 'x' }],
    ['a value comes twice has the last', entry(name('a'), value(text('x')), value(text('y'))), { a: 'y' }],
    ['a value is of two kinds has the last, as in Go', entry(name('a'), value(text('x'), 0x20, 1)), { a: true }],
    ['a value is null has it', entry(name('a'), value(0x08, 0)), { a: null }],
    ['null is not 0 has null', entry(name('a'), value(0x08, 5)), { a: null }],
    ['a list is empty has it', entry(name('a'), value(field(0x32))), { a: [] }],
    ['an object is empty has it', entry(name('a'), value(field(0x2a))), { a: {} }],
    ['a boolean is written in two bytes has it', entry(name('a'), value(0x20, 0x81, 0x00)), { a: true }],
    [
      'there are fields that nobody knows is read without them',
      Buffer.concat([
        Buffer.of(0x10, 7),
        entry(name('a'), Buffer.of(0x1d, 1, 2, 3, 4), value(Buffer.of(0x39, 1, 2, 3, 4, 5, 6, 7, 8), text('x'))),
      ]),
      { a: 'x' },
    ],
    ['text is not UTF-8 has U+FFFD there', entry(name('a'), value(field(0x1a, 0x61, 0xff))), { a: 'a\ufffd' }],
    [
      'a field is named __proto__ is read without it',
      entry(name('__proto__'), value(field(0x2a, entry(name('a'), value(text('x')))))),
      {},
    ],
  ];
  test.each(rows)('%s', (_name, bytes, expected) => {
    const object = readStruct(bytes);
    expect(object).toStrictEqual(expected);
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  });
});

/** A value in a list in a list, so many levels deep. */
function nest(levels: number): Buffer {
  let bytes: Buffer = text('x');
  for (let level = 1; level < levels; level += 1) bytes = field(0x32, field(0x0a, bytes));
  return bytes;
}

test('values may be nested in 250 levels, and not in more', () => {
  expect(JSON.stringify(readValue(nest(250)))).toBe(`${'['.repeat(249)}"x"${']'.repeat(249)}`);
  expect(() => readValue(nest(251))).toThrow('Cannot decode the request: values are nested in more than 250 levels');
});

const good = entry(
  name('a'),
  value(field(0x32, entry(text('x')), entry(Buffer.of(0x11, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f)))),
);

describe('bytes are refused as no request when', () => {
  const rows: readonly [string, Uint8Array][] = [
    ['a length goes beyond the end', Buffer.of(0x0a, 0x7f, 0x61)],
    ['a length goes beyond what it lies in', entry(Buffer.of(0x0a, 5, 0x61), value())],
    [
      'a length is as large as a length can be',
      Buffer.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
    ],
    ['a number never ends', Buffer.alloc(64, 0xff)],
    ['they end within a number', Buffer.of(0x80)],
    ['they end within a double', entry(name('a'), value(Buffer.of(0x11, 0, 0)))],
    ['a field has the number 0', Buffer.of(0x02, 0x00)],
    ['a group begins', Buffer.of(0x13)],
    ['a group ends', Buffer.of(0x14)],
    ['a wire type does not exist', Buffer.of(0x0e)],
    ['they are nested in 10,000 levels', entry(name('a'), value(nest(10_000)))],
    ['a length says the message that it is in, round and round', Buffer.alloc(10_000, Buffer.of(0x0a, 0x0a))],
  ];
  test.each(rows)('%s', (_name, bytes) => {
    expect(() => readStruct(bytes)).toThrow(UndecodableRequest);
  });

  test('they end anywhere within', () => {
    expect(readStruct(good)).toEqual({ a: ['x', 1] });
    for (let length = 1; length < good.length; length += 1) {
      expect(() => readStruct(good.subarray(0, length))).toThrow(UndecodableRequest);
    }
  });

  const messages = { decodeRequest, decodeResource, decodeResources, hasSchema };
  test.each(Object.entries(messages))('%s reads what is no message', (_name, decode) => {
    expect(() => decode(Buffer.of(0x0a, 0x7f))).toThrow(UndecodableRequest);
    expect(() => decode(Buffer.alloc(64, 0xff))).toThrow(UndecodableRequest);
  });
});

/** Megabytes of bytes that say that they are something. */
const megabytes = 4;
const hostile: readonly [string, Uint8Array][] = [
  ['lengths of all that follows', Buffer.alloc(megabytes << 20, Buffer.of(0x0a, 0xff, 0xff, 0x7f))],
  ['one byte', Buffer.alloc(megabytes << 20, 0x0a)],
  ['levels', entry(name('a'), value(nest(3000)), Buffer.alloc(megabytes << 20))],
  [
    'text that ends too early',
    Buffer.concat([entry(name('a'), value(text('x'.repeat(megabytes << 20)))), Buffer.of(0x0a)]),
  ],
];

test.each(hostile)('megabytes of %s are refused in little time and memory', (_name, bytes) => {
  const before = process.memoryUsage();
  const started = performance.now();
  expect(() => readStruct(bytes)).toThrow(UndecodableRequest);
  expect(performance.now() - started).toBeLessThan(1000);
  const { heapUsed, external } = process.memoryUsage();
  expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan(2 * bytes.length);
});
