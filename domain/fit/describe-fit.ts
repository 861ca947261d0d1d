import type { Condition } from '../kubernetes/condition.ts';
import { inGib, roundGib } from '../units/bytes.ts';
import { explainBeside } from './explain-misfit.ts';
import { type Fit, type Misfit, termBytes, type Verdict } from './verdict.ts';

/** The verdict as a status shows it: GiB per accelerator, rounded, so that equal states give equal bytes (S3). */
export function describeFit(verdict: Verdict): Record<string, unknown> {
  if (verdict.verdict === 'Unsupported') return { verdict: 'Unsupported', missing: verdict.missing };
  const terms = verdict.terms.map(({ name, bytes, origin }) => ({ name, gib: roundGib(bytes), origin }));
  const { warnings } = verdict;
  const beside = { host: describeHost(verdict), ...(warnings.length === 0 ? {} : { warnings }) };
  const contextTokens = verdict.sizing.maxModelLen;
  if (verdict.verdict === 'Misfit')
    return { verdict: 'Misfit', terms, contextTokens, shortfallGib: roundGib(verdict.shortfall), ...beside };
  const concurrency = Math.round(verdict.concurrency * 10) / 10;
  const { tight, kvTokens } = verdict;
  return { verdict: 'Fit', tight, terms, kvTokens, concurrency, contextTokens, ...beside };
}

function describeHost({ host }: Fit | Misfit): Record<string, number> {
  const { memory, disk, sharedMemory } = host;
  return { memoryGib: roundGib(memory), diskGib: roundGib(disk), sharedMemoryGib: roundGib(sharedMemory) };
}

/** The condition Fits for the best verdict at hand. */
export function fitsCondition(verdict: Verdict, where: string): Condition {
  if (verdict.verdict === 'Unsupported') {
    const message = `Cannot say whether it fits ${where}: unknown ${verdict.missing.join(', ')}; state it in the claim`;
    return { type: 'Fits', status: 'Unknown', reason: 'Unsupported', message };
  }
  if (verdict.verdict === 'Misfit') {
    const beside = explainBeside(verdict);
    if (beside !== undefined) return { type: 'Fits', status: 'False', reason: 'Misfit', message: beside };
    const advice =
      verdict.fittingContextTokens === undefined
        ? ''
        : `; it would hold ${verdict.fittingContextTokens} tokens of context`;
    return {
      type: 'Fits',
      status: 'False',
      reason: 'Misfit',
      message: `Short by ${inGib(verdict.shortfall)} GiB on ${where}${advice}${warned(verdict)}`,
    };
  }
  const kv = `KV cache ${inGib(termBytes(verdict.terms, 'kvCache'))} GiB holds ${verdict.kvTokens} tokens`;
  const message = `${kv}, ${verdict.concurrency.toFixed(1)} requests of ${verdict.sizing.maxModelLen} tokens at once on ${where}${warned(verdict)}`;
  return { type: 'Fits', status: 'True', reason: verdict.tight ? 'Tight' : 'Comfortable', message };
}

/** Contradictions of the author's arguments, each with both values. */
function warned({ warnings }: Fit | Misfit): string {
  return warnings.map((warning) => `; ${warning}`).join('');
}
