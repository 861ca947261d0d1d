import type { KnownAccelerator } from '../../hardware/known-accelerator.ts';
import { acceleratorCount, type Shape } from '../../shape/shape.ts';
import { checkFit, type FitQuestion } from '../check-fit.ts';
import { requestsAtOnce } from '../requests-at-once.ts';
import { type Fit, termBytes } from '../verdict.ts';
import { enumerateShapes } from './enumerate-shapes.ts';
import { estimateSpeed, type Speed } from './estimate-speed.ts';

/** A legal shape that holds the load, with an estimate of its speed. */
export interface RankedShape {
  readonly shape: Shape;
  readonly verdict: Fit;
  /** An estimate for ranking; undefined where rates are unknown. */
  readonly speed?: Speed;
}

export interface RankQuestion {
  readonly question: FitQuestion;
  readonly known: KnownAccelerator;
}

/**
 * The legal shapes that fit, fewest accelerators first, and of as many the faster by estimate. Accelerators stand for
 * price here: what they cost is known where placement has a class.
 */
export function rankShapes({ question, known }: RankQuestion): readonly RankedShape[] {
  const ranked: RankedShape[] = [];
  for (const shape of enumerateShapes(question.facts).legal) {
    const verdict = checkFit({ ...question, shape });
    if (verdict.verdict !== 'Fit') continue;
    const speed = speedOf({ ...question, shape }, known, verdict);
    ranked.push(speed === undefined ? { shape, verdict } : { shape, verdict, speed });
  }
  return ranked.sort(
    (left, right) =>
      acceleratorCount(left.shape) - acceleratorCount(right.shape) ||
      (right.speed?.decodeTokensPerSecond ?? 0) - (left.speed?.decodeTokensPerSecond ?? 0),
  );
}

/** The estimate for a load on a shape that fits; undefined where geometry or rates are unknown. */
export function speedOf(
  { facts, shape, load }: Pick<FitQuestion, 'facts' | 'shape' | 'load'>,
  accelerator: KnownAccelerator,
  verdict: Fit,
): Speed | undefined {
  const weights = termBytes(verdict.terms, 'weights');
  const typical = (load.promptTokens ?? load.contextTokens / 2) / verdict.sizing.maxModelLen;
  const cachePerRequest = (termBytes(verdict.terms, 'kvCache') / verdict.concurrency) * Math.min(1, typical);
  const requests = Math.max(1, Math.min(requestsAtOnce(load).requests, Math.floor(verdict.concurrency)));
  return estimateSpeed({ facts, accelerator, shape, weights, cachePerRequest, requests });
}
