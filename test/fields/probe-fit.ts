/** Whether a fact of a checkpoint or an accelerator enters the fit: verdicts that differ in it alone are compared. */
import { checkFit, type FitQuestion } from '../../domain/fit/check-fit.ts';
import type { Accelerator } from '../../domain/hardware/accelerator.ts';
import { listAccelerators, toAccelerator } from '../../domain/hardware/find-accelerator.ts';
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { catalogueNames, findFacts } from '../../domain/model/find-facts.ts';
import { ModelFacts } from '../../domain/model/model-facts.ts';
import { changeField, fieldAt } from './change-field.ts';
import { type LeafField, listValues } from './leaf-field.ts';

type Part = 'facts' | 'accelerator';

const allFacts = catalogueNames().map((name) => findFacts(name, undefined).facts);
/** With the weights as they are, and with the weights to be estimated. */
const checkpoints: readonly ModelFacts[] = [
  ...allFacts,
  ...allFacts.map(({ weightBytes: _weightBytes, ...facts }) => facts),
];
const accelerators = listAccelerators()
  .filter(({ name }) => ['L4', 'H200', 'GB300'].includes(name))
  .map(toAccelerator);
const images = ['a/b:v0.19.0', 'a/b:v0.30.0'];
const shape = { nodes: 1, acceleratorsPerNode: 8, tensorParallelSize: 8, pipelineParallelSize: 1 };

/** Tells whether any verdict changes with a field, given by its path below the facts or the accelerator. */
export function entersFit(part: Part, leaf: LeafField, example: unknown): boolean {
  const path = leaf.path.split('.');
  const values = [undefined, ...listValues(leaf, fieldAt(example, path))];
  // Which checkpoint it is matters to a fact of it, and hardly to one of the accelerator.
  const tried = part === 'facts' ? checkpoints : checkpoints.filter((_facts, index) => index % 8 === 0);
  return tried.some((facts) =>
    accelerators.some((accelerator) => {
      const variants = values.flatMap((value) => {
        const changed = changeField(part === 'facts' ? facts : accelerator, { path, value, example });
        return toSubject(part, changed, { facts, accelerator });
      });
      variants.push({ facts, accelerator });
      return images.some((image) => new Set(variants.map((variant) => verdictOf(variant, image))).size > 1);
    }),
  );
}

type Subject = Pick<FitQuestion, 'facts' | 'accelerator'>;

/** The facts and the accelerator with one of them changed; none where that is not valid. */
function toSubject(part: Part, changed: unknown, subject: Subject): readonly Subject[] {
  if (part === 'facts') {
    const read = ModelFacts.safeParse(changed);
    return read.success ? [{ ...subject, facts: read.data }] : [];
  }
  const { visibleMemory } = changed as Accelerator;
  return typeof visibleMemory === 'number' ? [{ ...subject, accelerator: changed as Accelerator }] : [];
}

function verdictOf(subject: Subject, image: string): string {
  const engine = { type: 'vLLM', image, args: [] } as const;
  return canonicalJson(checkFit({ ...subject, shape, load: { contextTokens: 8192 }, engine }));
}
