import { failed, type Grade, passed } from '../grade.ts';
import type { EvidenceCase } from './case.ts';
import { chooseNames } from './chosen-words.ts';

/** Names of one list: one wrong number format, a broken kernel or a bad cache is enough to lose one of so many (L6). */
const nameCount = 50;

/** Copies a list of names back: what one engine did right 30% of the time and another always (L6). */
export const copyNames: EvidenceCase = {
  name: 'CopyNames',
  proves: `copies ${nameCount} names back`,
  length: 'Short',
  needsTokens: 600,
  callsTools: false,
  protocols: ['OpenAI'],
  prepare: (tryNumber) => {
    const names = chooseNames(tryNumber, nameCount);
    const prompt = `Copy this list exactly, one name a line, in the same order, and write nothing else.\n\n${names.join('\n')}`;
    return { ask: { prompt, mostTokens: 2048 }, grade: ({ text }) => gradeNames(text, names) };
  },
};

function gradeNames(text: string, names: readonly string[]): Grade {
  const copied = text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\d+[.)]|[-*])?\s*/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('```'));
  const differing = names.findIndex((name, index) => copied[index] !== name);
  if (differing === -1 && copied.length === names.length) return passed;
  const at = differing === -1 ? names.length : differing;
  const found = `${copied.length} names, line ${at + 1} is "${copied[at] ?? ''}"`;
  return failed('NamesDiffer', found, `${names.length} names, line ${at + 1} is "${names[at] ?? ''}"`);
}
