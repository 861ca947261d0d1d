import { type ExplainedFlag, explainFlags } from '../../domain/fit/advice/explain-flags.ts';
import { memoryFlags } from '../../domain/fit/advice/memory-flags.ts';
import { type Change, nearestChanges } from '../../domain/fit/advice/nearest-changes.ts';
import { checkFit } from '../../domain/fit/check-fit.ts';
import { type RequestsAtOnce, replicasFor, requestsAtOnce } from '../../domain/fit/requests-at-once.ts';
import { type RankedShape, rankShapes } from '../../domain/fit/shapes/rank-shapes.ts';
import { refuseSizes } from '../../domain/fit/shapes/refuse-sizes.ts';
import type { Verdict } from '../../domain/fit/verdict.ts';
import { listAccelerators, toAccelerator } from '../../domain/hardware/find-accelerator.ts';
import type { FitRequest } from './fit-request.ts';

/** Shapes that are shown. */
const mostShapes = 8;

/** Everything that `modelberth fit` says of a request. */
export interface FitAnswer {
  readonly request: FitRequest;
  /** Why the engine cannot split the model so; empty where it can. Legality comes before memory. */
  readonly illegal: readonly string[];
  readonly verdict: Verdict;
  readonly requests: RequestsAtOnce;
  /** Replicas for the callers; undefined where the verdict is no fit. */
  readonly replicas?: number;
  readonly flags: readonly ExplainedFlag[];
  readonly changes: readonly Change[];
  readonly shapes: readonly RankedShape[];
}

/** Answers a request: legality, memory, flags, what would change a misfit, and other shapes. */
export function answerRequest(request: FitRequest): FitAnswer {
  const { question, known } = request;
  const { facts, shape, load, engine } = question;
  const verdict = checkFit(question);
  const requests = requestsAtOnce(load);
  const accelerators = listAccelerators()
    .filter(({ vendor }) => vendor === known.vendor)
    .map(toAccelerator);
  return {
    request,
    illegal: refuseSizes(facts, shape),
    verdict,
    requests,
    ...(verdict.verdict === 'Fit' ? { replicas: replicasFor(requests.requests, verdict.concurrency) } : {}),
    flags:
      verdict.verdict === 'Unsupported'
        ? []
        : explainFlags(memoryFlags(verdict.computed, load, engine.type), engine.args),
    changes: verdict.verdict === 'Misfit' ? nearestChanges({ question, accelerators }) : [],
    shapes: verdict.verdict === 'Unsupported' ? [] : rankShapes({ question, known }).slice(0, mostShapes),
  };
}
