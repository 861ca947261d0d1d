import { z } from 'zod';

/** A number of bytes. */
export type Bytes = number;

const kib = 2 ** 10;
export const mib = 2 ** 20;
export const gib = 2 ** 30;

const factors: Readonly<Record<string, number>> = {
  Ki: kib,
  Mi: mib,
  Gi: gib,
  Ti: 2 ** 40,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
};
const pattern = /^([0-9]+(?:\.[0-9]+)?)(Ki|Mi|Gi|Ti|k|M|G|T)?$/;

/** Bytes as users write them, a Kubernetes quantity such as `80Gi`; code sees the number. */
export const BytesText = z.codec(z.string().regex(pattern), z.number(), {
  decode: (text) => parseBytes(text) ?? 0,
  encode: (bytes) => formatBytes(bytes),
});

/** Parses a Kubernetes quantity of bytes; undefined when it is none. */
export function parseBytes(text: string): Bytes | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  return Math.round(Number(match[1]) * (match[2] === undefined ? 1 : (factors[match[2]] ?? 1)));
}

/** The shortest exact quantity with a binary suffix; plain digits where none is exact. */
export function formatBytes(bytes: Bytes): string {
  for (const suffix of ['Ti', 'Gi', 'Mi', 'Ki']) {
    const factor = factors[suffix] ?? 1;
    if (bytes !== 0 && bytes % factor === 0) return `${bytes / factor}${suffix}`;
  }
  return String(bytes);
}

/** Bytes for people: GiB with one digit, without the unit. */
export function inGib(bytes: Bytes): string {
  return (bytes / gib).toFixed(1);
}

/** Bytes as a figure in a status: GiB rounded to hundredths, so that it does not move without a reason. */
export function roundGib(bytes: Bytes): number {
  return Math.round((bytes / gib) * 100) / 100;
}
