import { closest } from 'fastest-levenshtein';
import { type Bytes, mib } from '../units/bytes.ts';
import { once } from '../units/once.ts';
import type { Accelerator } from './accelerator.ts';
import { isOnSwitch, isUnified } from './accelerator-kind.ts';
import json from './accelerators.json' with { type: 'json' };
import { KnownAccelerator } from './known-accelerator.ts';

const catalogue = once((): readonly KnownAccelerator[] => KnownAccelerator.array().parse(json));

/** The accelerator that a text names, by its longest known name in it; undefined when it names none. */
export function findAccelerator(text: string): KnownAccelerator | undefined {
  const wanted = ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `;
  let best: { readonly known: KnownAccelerator; readonly length: number } | undefined;
  for (const known of catalogue()) {
    for (const name of [known.name.toLowerCase(), ...known.alsoKnownAs]) {
      const words = ` ${name.replace(/[^a-z0-9]+/g, ' ')} `;
      if (wanted.includes(words) && words.length > (best?.length ?? 0)) best = { known, length: words.length };
    }
  }
  return best?.known;
}

/** The accelerator whose driver publishes a product name; undefined when it is not in the catalogue. */
export function findProduct(productName: string): KnownAccelerator | undefined {
  return catalogue().find((known) => known.productName === productName);
}

/** Two accelerators of one kind show memory that differs by less than this. */
const sameKind = 0.002;

/**
 * The accelerator that memory alone tells: undefined where none shows so much, or where those that do could stand on a
 * switch as well as on a bus. Of several the newest, for which engines take the larger defaults.
 */
export function findByMemory(visibleMemory: Bytes): Accelerator | undefined {
  const alike = catalogue()
    .map(toAccelerator)
    .filter((one) => isAlike(one.visibleMemory, visibleMemory));
  if (!alike.every((one) => isOnSwitch(one) && !isUnified(one))) return undefined;
  return alike.sort((left, right) => Number(right.computeCapability) - Number(left.computeCapability))[0];
}

function isAlike(known: Bytes, seen: Bytes): boolean {
  return Math.abs(known / seen - 1) < sameKind;
}

/** A name close to one that is unknown, for the message. */
export function suggestAccelerator(text: string): string {
  return closest(
    text,
    catalogue().map((known) => known.name),
  );
}

/** Every accelerator of the catalogue, smallest first. */
export function listAccelerators(): readonly KnownAccelerator[] {
  return [...catalogue()].sort((left, right) => left.visibleMib - right.visibleMib);
}

/** A catalogue entry as a class would describe it. */
export function toAccelerator(known: KnownAccelerator): Accelerator {
  return {
    name: known.name,
    vendor: known.vendor,
    productName: known.productName,
    architecture: known.architecture,
    ...(/^\d+\.\d+$/.test(known.computeCapability) ? { computeCapability: known.computeCapability } : {}),
    memory: known.memoryMib * mib,
    visibleMemory: known.visibleMib * mib,
  };
}
