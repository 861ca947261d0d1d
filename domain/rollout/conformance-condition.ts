import type { Figures } from '../evidence/figures.ts';
import type { Condition } from '../kubernetes/condition.ts';
import type { RevisionMemory } from './revision-memory.ts';

export interface ConformanceFacts {
  /** Whether revisions are tried; if not, whether the claim wants it and no image is known. */
  readonly isTried: boolean;
  readonly lacksImage: boolean;
  /** Whether the condition was shown before: it cannot be taken away. */
  readonly wasSaid: boolean;
  /** Revision of the observed workload, and what it remembers; undefined while there is none. */
  readonly live: string | undefined;
  readonly memory: RevisionMemory;
  readonly figures: Figures;
}

/** Whether the revision that runs proved itself; undefined where none is tried and none ever was. */
export function conformanceCondition(facts: ConformanceFacts): Condition | undefined {
  const { isTried, lacksImage, wasSaid, live } = facts;
  if (lacksImage) {
    const message =
      'spec.conformance asks for a check, and the Input of the rollout-strategy step has no evidenceImage; nothing is held back';
    return unknown('NoEvidenceImage', message);
  }
  if (isTried && live !== undefined) return judgeLive(live, facts);
  if (isTried) return unknown('ConformanceRunning', 'The first revision is tried once its engine answers');
  return wasSaid ? unknown('NotChecked', 'No revision is tried, and nothing is held back') : undefined;
}

function judgeLive(live: string, { memory, figures }: ConformanceFacts): Condition {
  switch (memory.conformance) {
    case 'Waiting':
      return unknown('ConformanceRunning', `Revision ${live} gets requests once it was tried and passed`);
    case 'Passed': {
      const message = `Revision ${live} passed every case${sayFigures(figures)}`;
      return { type: 'ConformanceChecked', status: 'True', reason: 'Conforms', message };
    }
    case 'Failed': {
      const because = figures.failure ?? memory.failedBecause ?? 'It failed a case';
      const message = `Revision ${live} gets no requests: ${because}; try it with modelberth probe, then change the claim`;
      return { type: 'ConformanceChecked', status: 'False', reason: 'CaseFailed', message };
    }
    case 'NotRun':
      return unknown('ConformanceNotRun', `The check of revision ${live} ended without a word on it: see its Job`);
    default:
      return unknown('NotChecked', `Revision ${live} answered before revisions were tried`);
  }
}

function sayFigures({ firstTokenMillis, tokensPerSecond }: Figures): string {
  if (firstTokenMillis === undefined) return '; its figures are unknown, since its pod cannot be read';
  const speed = tokensPerSecond === undefined ? '' : `, then ${tokensPerSecond} tokens per second`;
  return `; first token after ${firstTokenMillis.median} ms${speed}`;
}

function unknown(reason: Condition['reason'], message: string): Condition {
  return { type: 'ConformanceChecked', status: 'Unknown', reason, message };
}
