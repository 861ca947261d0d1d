import type { Answer } from '../ask.ts';
import { failed, type Grade, passed } from '../grade.ts';
import type { EvidenceCase } from './case.ts';
import { fillerLines } from './filler.ts';

const lineCount = 20;
const mostTokens = 24;
/** Characters of one token, at least and at most, over every vocabulary; a chat template adds to the prompt. */
const charactersPerToken = { least: 1, most: 12 };
const templateTokens = 1500;

/** Reports the tokens of prompt and answer: an answer that ends at the most tokens has exactly so many. */
export const usage: EvidenceCase = {
  name: 'Usage',
  proves: 'reports the tokens that it read and wrote',
  length: 'Short',
  needsTokens: 24,
  callsTools: false,
  protocols: ['OpenAI', 'Anthropic'],
  prepare: (tryNumber) => {
    const text = fillerLines(tryNumber, lineCount).join('\n');
    const prompt = `${text}\n\nCount from 1 to 400, one number a line.`;
    return { ask: { prompt, mostTokens }, grade: (answer) => gradeUsage(answer, prompt.length) };
  },
};

function gradeUsage({ usage: reported, finish }: Answer, promptCharacters: number): Grade {
  if (reported === undefined) return failed('UsageWrong', 'no usage', 'the tokens of prompt and answer');
  const { inputTokens, outputTokens } = reported;
  if (finish === 'Length' && outputTokens !== mostTokens)
    return failed('UsageWrong', `${outputTokens} output tokens`, `${mostTokens}, where the answer was cut`);
  const least = Math.floor(promptCharacters / charactersPerToken.most);
  const most = promptCharacters / charactersPerToken.least + templateTokens;
  if (inputTokens >= least && inputTokens <= most) return passed;
  return failed('UsageWrong', `${inputTokens} input tokens`, `${least} to ${most} for this prompt`);
}
