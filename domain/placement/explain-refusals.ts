import type { Condition } from '../kubernetes/condition.ts';
import type { Refusal } from './refuse-candidate.ts';

/** Reasons from the one that is hardest to lift to the one that money lifts. */
const hardest: readonly Refusal['reason'][] = ['ClassMissing', 'NotPlaceable', 'Unsupported', 'Misfit', 'OverBudget'];

/** The condition for a claim of which every candidate was refused, with the reason of the candidate nearest to fitting. */
export function explainRefusals(modelName: string, refusals: readonly Refusal[]): Condition {
  const breaches = refusals.filter(({ reason }) => reason === 'GuardrailRefused').map(({ message }) => message);
  if (breaches.length > 0) {
    const message = `Cannot place "${modelName}": ${[...new Set(breaches)].join('; ')}`;
    return { type: 'Placed', status: 'False', reason: 'GuardrailRefused', message };
  }
  const candidates = new Map<string, number>();
  for (const refusal of refusals) {
    const key = `${refusal.class}|${refusal.shape ?? ''}`;
    candidates.set(key, Math.min(candidates.get(key) ?? hardest.length, hardest.indexOf(refusal.reason)));
  }
  const reason = hardest[Math.max(...candidates.values())] ?? 'NotPlaceable';
  const lines = refusals.map(
    (refusal) => `${refusal.class}${refusal.shape === undefined ? '' : ` (${refusal.shape})`}: ${refusal.message}`,
  );
  const message = `Cannot place "${modelName}": ${[...new Set(lines)].slice(0, 5).join('; ')}`;
  return { type: 'Placed', status: 'False', reason, message };
}
