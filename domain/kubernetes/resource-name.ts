import { stableHash } from './canonical-json.ts';

/** Longest name that is also a valid label value and DNS label (RFC 1123). */
export const maxNameLength = 63;
const hashLength = 8;

/**
 * A readable name that never collides and never changes while its identity does not (S2): the prefix, cut where needed,
 * and a hash of the identity. At most 63 characters.
 */
export function hashedName(prefix: string, identity: unknown): string {
  const hash = stableHash(identity, hashLength);
  const room = maxNameLength - hashLength - 1;
  return `${dnsLabel(prefix).slice(0, room).replace(/-+$/, '')}-${hash}`;
}

/** The name itself where it is short enough, else cut and made unique by a hash of the whole. */
export function boundedName(name: string): string {
  const plain = dnsLabel(name);
  return plain === name && plain.length <= maxNameLength ? plain : hashedName(name, name);
}

/** A text as a DNS label: lower case, digits and dashes, starting and ending with a letter or digit. */
function dnsLabel(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'x' : plain;
}
