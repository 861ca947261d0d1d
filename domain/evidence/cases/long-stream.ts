import { failed, type Grade, passed } from '../grade.ts';
import type { EvidenceCase } from './case.ts';
import { chooseDigits } from './chosen-words.ts';

/** How far is counted: some 1,000 tokens, the length at which cut streams showed (L23). */
const last = 300;
/** Fewest events of a stream that is one: servers may send a few tokens at once. */
const leastEvents = 20;

/** Streams a long answer to its end by itself: a stream that was cut looks finished to a client (L23). */
export const longStream: EvidenceCase = {
  name: 'LongStream',
  proves: 'streams a long answer to its finish reason',
  length: 'Long',
  needsTokens: 1300,
  callsTools: false,
  protocols: ['OpenAI', 'Anthropic'],
  prepare: (tryNumber) => {
    const mark = chooseDigits(tryNumber, 5);
    const prompt = `Count from 1 to ${last}, one number a line, without leaving any out. Then write END ${mark} on the last line.`;
    return {
      ask: { prompt, mostTokens: 4096 },
      grade: ({ text, finish, events }) => {
        if (finish === 'Length') return failed('OutputCut', `"${text.slice(-20)}"`, `END ${mark}`);
        if (events < leastEvents) return failed('NotStreamed', `${events} events`, `${leastEvents} events or more`);
        return gradeCount(text, mark);
      },
    };
  },
};

function gradeCount(text: string, mark: string): Grade {
  const [counted = '', after] = text.split(/END/);
  const numbers = [...counted.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  const gap = Array.from({ length: last }, (_, index) => index + 1).find((number, index) => numbers[index] !== number);
  if (gap !== undefined) return failed('CountBroken', `${numbers[gap - 1] ?? 'the end'} after ${gap - 1}`, String(gap));
  return after?.includes(mark) === true ? passed : failed('CountBroken', `"${text.slice(-20)}"`, `END ${mark}`);
}
