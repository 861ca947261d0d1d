import { failed, passed } from '../grade.ts';
import type { EvidenceCase } from './case.ts';
import { scramble } from './chosen-words.ts';

/** Ends at the stop text that the caller names. */
export const stopText: EvidenceCase = {
  name: 'StopText',
  proves: 'ends at a stop text',
  length: 'Short',
  needsTokens: 120,
  callsTools: false,
  protocols: ['OpenAI', 'Anthropic'],
  prepare: (tryNumber) => {
    const end = 13 + (scramble(tryNumber) % 10);
    return {
      ask: { prompt: 'Count from 1 to 40, one number a line.', stop: String(end), mostTokens: 1024 },
      grade: ({ text }) => {
        const numbers = [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
        const largest = Math.max(0, ...numbers);
        if (largest >= end) return failed('StopIgnored', `counted to ${largest}`, `an end before ${end}`);
        return largest === end - 1 ? passed : failed('CountBroken', `counted to ${largest}`, `counted to ${end - 1}`);
      },
    };
  },
};
