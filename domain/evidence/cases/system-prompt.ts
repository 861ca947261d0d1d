import { failed, passed } from '../grade.ts';
import type { EvidenceCase } from './case.ts';
import { chooseDigits, chooseOne } from './chosen-words.ts';

/** Does what the system prompt says, which a wrong chat template leaves out. */
export const systemPrompt: EvidenceCase = {
  name: 'SystemPrompt',
  proves: 'keeps to its system prompt',
  length: 'Short',
  needsTokens: 120,
  callsTools: false,
  protocols: ['OpenAI', 'Anthropic'],
  prepare: (tryNumber) => {
    const code = `QX-${chooseDigits(tryNumber, 5)}`;
    const country = chooseOne(tryNumber + 3, ['Peru', 'Norway', 'Kenya', 'Japan', 'Portugal']);
    return {
      ask: {
        system: `You are the clerk of desk ${code}. End every answer with the number of your desk, ${code}, on a line of its own.`,
        prompt: `What is the capital of ${country}?`,
        mostTokens: 1024,
      },
      grade: ({ text }) => (text.includes(code) ? passed : failed('SystemPromptForgotten', text, code)),
    };
  },
};
