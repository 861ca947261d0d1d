import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isRecord } from './object.ts';

/** JSON with sorted keys and without undefined fields: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value)) ?? 'null';
}

/** A stable hash of a value, as lower-case hexadecimal of the given length (at most 64). */
export function stableHash(value: unknown, length: number): string {
  return hashText(canonicalJson(value)).slice(0, length);
}

/** Hashes of what was asked for lately: every pass over a claim asks for the same, and a hash costs more than all else of it. */
const recent = new Map<string, string>();
const mostRecent = 256;

function hashText(text: string): string {
  const known = recent.get(text);
  if (known !== undefined) return known;
  if (recent.size >= mostRecent) recent.clear();
  const hash = bytesToHex(sha256(utf8ToBytes(text)));
  recent.set(text, hash);
  return hash;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => [key, sortKeys(value[key])]),
  );
}
