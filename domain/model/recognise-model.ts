/**
 * Finds a model by the name that a log, an issue or a person wrote: another organisation, a quantised copy, a dated
 * release or a fine-tune has the geometry of its base. Only geometry crosses over: the bytes of the files belong to
 * one repository. Refused: nearest name by edit distance, which answers "Qwen3-8B" for "Qwen3-4B".
 */
import { z } from 'zod';
import { catalogueNames, findFacts } from './find-facts.ts';
import lineageJson from './lineage.json' with { type: 'json' };
import { ModelFacts } from './model-facts.ts';

/** A model whose config has the geometry of another, apart from what is stated. */
const Descendant = z.strictObject({
  name: z.string().min(1),
  base: z.string().min(1),
  differs: ModelFacts.strict().optional(),
  source: z.string().min(1),
  readOn: z.iso.date(),
});
const lineage = Descendant.array().parse(lineageJson);

export interface RecognisedModel {
  /** Name in the catalogue whose geometry holds. */
  readonly name: string;
  readonly facts: ModelFacts;
}

/** The facts of the model that a text names; undefined when the text names none that is known. */
export function recogniseModel(text: string): RecognisedModel | undefined {
  const exact = index.exact.get(plainName(text));
  const remark = /\([^)]*\)/.exec(text)?.[0] ?? '';
  if (exact !== undefined && formatInName(remark) === undefined && !/quant|exl3/i.test(remark))
    return { name: exact, facts: findFacts(exact, undefined).facts };
  const key = lineageKey(text);
  const format = formatInName(text);
  const descendant = index.descendants.get(`${key}+${format?.method}`) ?? index.descendants.get(key);
  const name = descendant?.base ?? index.bases.get(key);
  if (name === undefined) return undefined;
  const { weightBytes: _bytes, quantisation: _format, ...geometry } = findFacts(name, undefined).facts;
  const facts = { ...geometry, ...(format === undefined ? {} : { quantisation: format }), ...descendant?.differs };
  return { name, facts };
}

/** Words of a name that say how it is stored, trained or dated, and nothing about its geometry. */
const formatWord =
  /^(fp8|nvfp4|mxfp4|awq|gptq|int[48]|w\d+a\d+|bf16|exl3|[48]bit|qat|q4|0|unquantized|quantized|autoround|dynamic|static|pertensor|mtp|v0|\d{4}|instruct|it|chat|thinking|compressed|tensors|hf)$/;

function plainName(text: string): string {
  return (
    text
      .replace(/\([^)]*\)/g, '')
      .split('/')
      .at(-1) ?? ''
  )
    .trim()
    .toLowerCase();
}

function lineageKey(text: string): string {
  const words = plainName(text).split(/[-_ ]+|(?<=quantized)\./);
  return words.filter((word) => !formatWord.test(word)).join('-');
}

const formats: readonly (readonly [RegExp, { readonly method: string; readonly weightBits: number }])[] = [
  [/nvfp4/i, { method: 'nvfp4', weightBits: 4 }],
  [/mxfp4/i, { method: 'mxfp4', weightBits: 4 }],
  [/int4|w4a16|awq-4bit/i, { method: 'compressed-tensors', weightBits: 4 }],
  [/8bit|int8|w8a8/i, { method: 'compressed-tensors', weightBits: 8 }],
  [/awq/i, { method: 'awq', weightBits: 4 }],
  [/gptq/i, { method: 'gptq', weightBits: 4 }],
  [/fp8/i, { method: 'fp8', weightBits: 8 }],
  [/fp4/i, { method: 'nvfp4', weightBits: 4 }],
];

function formatInName(text: string): { method: string; weightBits: number } | undefined {
  return /unquantized/i.test(text) ? undefined : formats.find(([pattern]) => pattern.test(text))?.[1];
}

const index = buildIndex(catalogueNames());

function buildIndex(names: readonly string[]) {
  // The shortest name of a lineage is its plain release; a sorted list makes the choice stable.
  const sorted = [...names].sort((left, right) => left.length - right.length || (left < right ? -1 : 1));
  const exact = new Map<string, string>();
  const bases = new Map<string, string>();
  for (const name of sorted) {
    if (!exact.has(plainName(name))) exact.set(plainName(name), name);
    if (!bases.has(lineageKey(name))) bases.set(lineageKey(name), name);
  }
  // A descendant whose name tells a format stands for copies in that format only.
  const descendants = new Map(
    lineage.map((descendant) => {
      const format = formatInName(descendant.name);
      return [lineageKey(descendant.name) + (format === undefined ? '' : `+${format.method}`), descendant];
    }),
  );
  return { exact, bases, descendants };
}
