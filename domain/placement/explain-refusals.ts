import type { Condition } from '../kubernetes/condition.ts';
import type { Refusal } from './refuse-candidate.ts';

/** Reasons from the one that is hardest to lift to the ones that the platform team, or money, lifts. */
const hardest: readonly Refusal['reason'][] = [
  'ClassMissing',
  'NotPlaceable',
  'Unsupported',
  'Misfit',
  'ReservationEnds',
  'GuardrailRefused',
  'OverBudget',
];

/** The condition for a claim of which every candidate was refused, with the reason of the candidate nearest to fitting. */
export function explainRefusals(modelName: string, refusals: readonly Refusal[]): Condition {
  const breaches = refusals.filter(({ reason }) => reason === 'GuardrailRefused');
  const breaching = new Set(breaches.map(candidateOf));
  if (breaches.length > 0 && refusals.every((refusal) => breaching.has(candidateOf(refusal))))
    return refuse(
      modelName,
      'GuardrailRefused',
      breaches.map(({ message }) => message),
    );
  const candidates = new Map<string, number>();
  for (const refusal of refusals) {
    const key = candidateOf(refusal);
    candidates.set(key, Math.min(candidates.get(key) ?? hardest.length, hardest.indexOf(refusal.reason)));
  }
  const reason = hardest[Math.max(...candidates.values())] ?? 'NotPlaceable';
  const lines = refusals.map(
    (refusal) => `${refusal.class}${refusal.shape === undefined ? '' : ` (${refusal.shape})`}: ${refusal.message}`,
  );
  return refuse(modelName, reason, lines);
}

function candidateOf(refusal: Refusal): string {
  return `${refusal.class}|${refusal.shape ?? ''}`;
}

function refuse(modelName: string, reason: Refusal['reason'], lines: readonly string[]): Condition {
  const message = `Cannot place "${modelName}": ${[...new Set(lines)].slice(0, 5).join('; ')}`;
  return { type: 'Placed', status: 'False', reason, message };
}
