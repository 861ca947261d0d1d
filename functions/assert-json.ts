import type { Decision } from './compose.ts';

/** Thrown for a value that the wire would change or lose without a word; the step is frozen instead. */
class NotJson extends Error {}

/** Throws, naming the path, unless all that a decision writes survives the wire as it is. */
export function assertJsonDecision(decision: Decision): void {
  for (const [key, { object }] of decision.composed) assertJson(object, key);
  assertJson(decision.status, 'status');
  for (const { entry, value } of decision.handOffs ?? []) assertJson(value, entry.key);
}

function assertJson(value: unknown, root: string): void {
  const fault = faultOf(value);
  if (fault !== undefined) throw new NotJson(`${root}${fault}`);
}

const notJson: ReadonlySet<string> = new Set(['bigint', 'function', 'symbol']);

/** What is no JSON in a value: where, below it, and why. The path is built only on the way back from a fault. */
function faultOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return faultOfItems(value);
  if (typeof value === 'object' && value !== null) return faultOfFields(value);
  if (typeof value === 'string') return value.isWellFormed() ? undefined : ' is text with half a surrogate pair';
  if (typeof value === 'number' ? isSafe(value) : !notJson.has(typeof value)) return undefined;
  return ` is the ${typeof value} ${String(value)}, which is no JSON`;
}

/** A number that is not finite or loses digits does not survive; nor does undefined in a list. */
function faultOfItems(items: readonly unknown[]): string | undefined {
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    const fault = item === undefined ? ' is undefined, which a list cannot hold' : faultOf(item);
    if (fault !== undefined) return `[${index}]${fault}`;
  }
  return undefined;
}

/** A Date or a Map would be written as an empty object. */
function faultOfFields(object: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return ' is no plain object';
  if (Object.hasOwn(object, '__proto__')) return '.__proto__ is a name that the wire drops';
  // The prototype has nothing to enumerate, and a list of entries would be most of what a call allocates.
  for (const field in object) {
    const fault = faultOf((object as Readonly<Record<string, unknown>>)[field]);
    if (fault !== undefined) return `.${field}${fault}`;
  }
  return undefined;
}

function isSafe(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}
