import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { definitions } from '../../apis/definitions.ts';
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';
import { readObjects } from '../render/read-cases.ts';

const Row = z.strictObject({
  /** A sentence: what is different from the example. */
  name: z.string(),
  /** New values by path. */
  set: z.record(z.string(), z.unknown()).default({}),
  remove: z.array(z.string()).default([]),
  /** Lists that get this many copies of their first item, by path. */
  repeat: z.record(z.string(), z.number()).default({}),
  /** Texts that are continued with their last character to this length, by path. */
  lengthen: z.record(z.string(), z.number()).default({}),
  /** The change is made to the example as it is stored, so that rules over the old value hold too. */
  transition: z.literal(true).optional(),
  /** What our own reader says after the name of the object; absent where it reads the spec. */
  reader: z.string().optional(),
  /** Every message of the API server's validation; absent where it accepts. */
  server: z.array(z.string()).default([]),
});

/** One change of a valid example, and what is said to it. */
export interface ClaimRow extends z.output<typeof Row> {
  readonly kind: string;
  readonly plural: string;
  /** The example before the change. */
  readonly example: KubernetesObject;
  readonly claim: KubernetesObject;
}

/** Valid objects of a kind that together state every field of its spec; a second one has what excludes a field of the first. */
export function readExamples(plural: string): readonly [KubernetesObject, ...KubernetesObject[]] {
  const [example, ...others] = readObjects(join(import.meta.dirname, 'examples', `${plural}.yaml`));
  if (example === undefined) throw new Error(`Cannot read the example of ${plural}: want at least one object`);
  return [example, ...others];
}

/** The object that the rows change. */
export function readExample(plural: string): KubernetesObject {
  return readExamples(plural)[0];
}

/** A copy of an object with another value at a path such as `spec.routes[0].weight`. */
export function setAt(object: KubernetesObject, path: string, value: unknown): KubernetesObject {
  return edit(object, split(path), () => value) as KubernetesObject;
}

/** Every row of every kind. The file names the row that cannot be read. */
export function readRows(): readonly ClaimRow[] {
  return definitions.flatMap(({ kind, plural }) => {
    const example = readExample(plural);
    const rows = z.array(Row).parse(parse(readFileSync(join(import.meta.dirname, 'rows', `${plural}.yaml`), 'utf8')));
    return rows.map((row) => ({ ...row, kind, plural, example, claim: change(example, row) }));
  });
}

function change(example: KubernetesObject, row: z.output<typeof Row>): KubernetesObject {
  let changed: unknown = example;
  for (const [path, value] of Object.entries(row.set)) changed = edit(changed, split(path), () => value);
  for (const path of row.remove) changed = edit(changed, split(path), () => undefined);
  for (const [path, count] of Object.entries(row.repeat)) {
    changed = edit(changed, split(path), (found) => Array(count).fill(Array.isArray(found) ? found[0] : found));
  }
  for (const [path, length] of Object.entries(row.lengthen)) {
    changed = edit(changed, split(path), (found) => String(found).padEnd(length, String(found).at(-1)));
  }
  return changed as KubernetesObject;
}

/** `spec.routes[0].weight` in parts. */
function split(path: string): readonly string[] {
  return path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
}

/** A copy with the value at a path replaced; one that becomes undefined is taken away. */
function edit(value: unknown, path: readonly string[], to: (found: unknown) => unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return to(value);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === first ? edit(item, rest, to) : item));
  const { [first]: found, ...others } = isRecord(value) ? value : {};
  const changed = edit(found, rest, to);
  return changed === undefined ? others : { ...others, [first]: changed };
}
