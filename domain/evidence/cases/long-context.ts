import { failed, passed } from '../grade.ts';
import type { EvidenceCase } from './case.ts';
import { chooseDigits } from './chosen-words.ts';
import { fillerLines } from './filler.ts';

/** Share of the promised context that is filled: what is left has room for the answer and for an error of the measure. */
const filledShare = 0.9;
/** Tokens for the answer, with room for thoughts, where the context is not a small one. */
const answerTokens = 512;

/** Recalls a number from a context near the limit that the fit promised. */
export const longContext: EvidenceCase = {
  name: 'LongContext',
  proves: 'recalls a line of a context near its limit',
  length: 'Long',
  needsTokens: 60,
  callsTools: false,
  protocols: ['OpenAI'],
  prepare: (tryNumber, { contextTokens, tokensPerLine }) => {
    const mostTokens = Math.min(answerTokens, Math.floor(contextTokens / 4));
    const room = filledShare * contextTokens - mostTokens;
    const lines = [...fillerLines(tryNumber, Math.max(1, Math.floor(room / tokensPerLine)))];
    const code = chooseDigits(tryNumber + 90, 6);
    // Early, in the middle and late, in turn.
    const place = Math.floor((lines.length * (1 + 4 * (tryNumber % 3))) / 10);
    lines.splice(place, 0, `The number of the safe is ${code}.`);
    const prompt = `${lines.join('\n')}\n\nWhat is the number of the safe? Answer with the number only.`;
    return {
      ask: { prompt, mostTokens },
      grade: ({ text }) =>
        text.includes(code)
          ? passed
          : failed('ContextForgotten', text, `${code}, from line ${place + 1} of ${lines.length}`),
    };
  },
};
