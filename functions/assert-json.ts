import type { Decision } from './compose.ts';

/** Thrown for a value that the wire would change or lose without a word; the step is frozen instead. */
class NotJson extends Error {}

/** Throws `NotJson`, naming the path, unless all that a decision writes survives the wire as it is. */
export function assertJsonDecision(decision: Decision): void {
  for (const [key, { object }] of decision.composed) assertJson(object, key);
  assertJson(decision.status, 'status');
  for (const { entry, value } of decision.handOffs ?? []) assertJson(value, entry.key);
}

/** Throws `NotJson` for a number that is not finite or loses digits, a Date or Map, or undefined in a list. */
function assertJson(value: unknown, path: string): void {
  if (Array.isArray(value)) assertItems(value, path);
  else if (typeof value === 'object' && value !== null) assertFields(value, path);
  else if (typeof value === 'number' ? !isSafe(value) : notJson.has(typeof value)) {
    throw new NotJson(`${path} is the ${typeof value} ${String(value)}, which is no JSON`);
  }
}

const notJson: ReadonlySet<string> = new Set(['bigint', 'function', 'symbol']);

function assertItems(items: readonly unknown[], path: string): void {
  for (const [index, item] of items.entries()) {
    if (item === undefined) throw new NotJson(`${path}[${index}] is undefined, which a list cannot hold`);
    assertJson(item, `${path}[${index}]`);
  }
}

function assertFields(object: object, path: string): void {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) throw new NotJson(`${path} is no plain object`);
  for (const [field, child] of Object.entries(object)) assertJson(child, `${path}.${field}`);
}

function isSafe(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}
