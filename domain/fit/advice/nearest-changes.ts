import type { Accelerator } from '../../hardware/accelerator.ts';
import type { Shape } from '../../shape/shape.ts';
import { checkFit, type FitQuestion } from '../check-fit.ts';
import { refuseSizes } from '../shapes/refuse-sizes.ts';
import type { Fit } from '../verdict.ts';

/** One change of the claim with which it would fit; it was checked. */
export interface Change {
  readonly change: string;
  readonly verdict: Fit;
}

export interface ChangesQuestion {
  readonly question: FitQuestion;
  /** Other accelerators that may be had, smallest first. */
  readonly accelerators: readonly Accelerator[];
}

/** The changes with which a misfit would fit, nearest first; each stands alone. Empty where none helps. */
export function nearestChanges(asked: ChangesQuestion): readonly Change[] {
  const changes: Change[] = [];
  for (const { change, question } of candidates(asked)) {
    const verdict = checkFit(question);
    if (verdict.verdict === 'Fit') changes.push({ change, verdict });
  }
  return changes;
}

interface Candidate {
  readonly change: string;
  readonly question: FitQuestion;
}

function candidates({ question, accelerators }: ChangesQuestion): readonly Candidate[] {
  return [
    ...shorterContext(question),
    ...withFp8Cache(question),
    ...fewerSequences(question),
    ...largerShapes(question),
    ...largerAccelerator(question, accelerators),
  ];
}

function shorterContext(question: FitQuestion): readonly Candidate[] {
  const verdict = checkFit(question);
  if (verdict.verdict !== 'Misfit' || verdict.fittingContextTokens === undefined) return [];
  const contextTokens = roundDown(verdict.fittingContextTokens);
  const load = { ...question.load, contextTokens };
  return [{ change: `set spec.load.contextTokens to ${contextTokens}`, question: { ...question, load } }];
}

/** A figure that people write: whole blocks of 256 tokens. */
function roundDown(tokens: number): number {
  return Math.max(256, Math.floor(tokens / 256) * 256);
}

function withFp8Cache(question: FitQuestion): readonly Candidate[] {
  const engine = question.engine ?? { type: 'vLLM' as const, image: '', args: [] };
  const flag = `--kv-cache-dtype=${engine.type === 'vLLM' ? 'fp8' : 'fp8_e4m3'}`;
  const args = [...engine.args, flag];
  return [{ change: `add ${flag} to spec.engine.args`, question: { ...question, engine: { ...engine, args } } }];
}

function fewerSequences(question: FitQuestion): readonly Candidate[] {
  if ((question.load.concurrentRequests ?? 0) <= 1) return [];
  const load = { ...question.load, concurrentRequests: 1 };
  return [{ change: 'set spec.load.concurrentRequests to 1', question: { ...question, load } }];
}

function largerShapes(question: FitQuestion): readonly Candidate[] {
  const { shape, facts } = question;
  return [2, 4, 8].flatMap((factor) => {
    const larger = widen(shape, factor);
    if (larger.acceleratorsPerNode > 8 || refuseSizes(facts, larger).length > 0) return [];
    const change = `take ${larger.acceleratorsPerNode} accelerators with tensor parallel size ${larger.tensorParallelSize}`;
    return [{ change, question: { ...question, shape: larger } }];
  });
}

function widen(shape: Shape, factor: number): Shape {
  return {
    ...shape,
    acceleratorsPerNode: shape.acceleratorsPerNode * factor,
    tensorParallelSize: shape.tensorParallelSize * factor,
  };
}

/** The smallest accelerator that is larger and holds it. */
function largerAccelerator(question: FitQuestion, accelerators: readonly Accelerator[]): readonly Candidate[] {
  const larger = accelerators
    .filter((accelerator) => accelerator.visibleMemory > question.accelerator.visibleMemory)
    .map((accelerator) => ({
      change: `allow a class with ${accelerator.name}`,
      question: { ...question, accelerator },
    }));
  const fitting = larger.find((candidate) => checkFit(candidate.question).verdict === 'Fit');
  return fitting === undefined ? [] : [fitting];
}
