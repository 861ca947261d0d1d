import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAddress, parseAddress, parseTime, parseWhole } from './serve-options.ts';

test.each([
  { name: 'host and port', text: '127.0.0.1:9443', want: { host: '127.0.0.1', port: 9443 } },
  { name: 'a port alone, for every IPv4 address', text: ':9443', want: { host: '0.0.0.0', port: 9443 } },
  { name: 'a host name', text: 'localhost:0', want: { host: 'localhost', port: 0 } },
  { name: 'an IPv6 address in brackets', text: '[::1]:9443', want: { host: '::1', port: 9443 } },
  { name: 'an IPv6 address without brackets', text: '::1:9443', want: undefined },
  { name: 'an IPv4 address in brackets', text: '[127.0.0.1]:9443', want: undefined },
  { name: 'no port', text: '127.0.0.1', want: undefined },
  { name: 'a port alone without colon', text: '9443', want: undefined },
  { name: 'a port above 65535', text: ':65536', want: undefined },
  { name: 'a URL', text: 'http://127.0.0.1:9443', want: undefined },
  { name: 'nothing', text: '', want: undefined },
])('parseAddress reads $name as $want', ({ text, want }) => {
  expect(parseAddress(text)).toEqual(want);
});

test('an address that was formatted reads back the same, for any host', () => {
  const host = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain());
  fc.assert(
    fc.property(host, fc.integer({ min: 0, max: 65_535 }), (name, port) => {
      expect(parseAddress(formatAddress({ host: name, port }))).toEqual({ host: name, port });
    }),
  );
});

test.each([
  { name: 'a UTC time', text: '2026-11-30T08:00:00Z', want: '2026-11-30T08:00:00.000Z' },
  { name: 'a time with an offset', text: '2026-11-30T08:00:00+02:00', want: '2026-11-30T06:00:00.000Z' },
  { name: 'a time with a fraction', text: '2026-11-30T08:00:00.5Z', want: '2026-11-30T08:00:00.500Z' },
  { name: 'a date alone', text: '2026-11-30', want: undefined },
  { name: 'a time without offset', text: '2026-11-30T08:00:00', want: undefined },
  { name: 'a day that does not exist', text: '2026-02-30T08:00:00Z', want: undefined },
  { name: 'a word', text: 'yesterday', want: undefined },
])('parseTime reads $name as $want', ({ text, want }) => {
  expect(parseTime(text)?.toISOString()).toBe(want);
});

test.each([
  { name: 'the lower bound', text: '5', want: 5 },
  { name: 'the upper bound', text: '60', want: 60 },
  { name: 'a number below', text: '4', want: undefined },
  { name: 'a number above', text: '61', want: undefined },
  { name: 'a fraction', text: '5.5', want: undefined },
  { name: 'a negative number', text: '-5', want: undefined },
  { name: 'a number with a unit', text: '30s', want: undefined },
  { name: 'nothing', text: '', want: undefined },
])('parseWhole reads $name as $want', ({ text, want }) => {
  expect(parseWhole(text, { min: 5, max: 60 })).toBe(want);
});
