import type { Tool } from '../ask.ts';
import { failed, passed, readFirstCall } from '../grade.ts';
import type { EvidenceCase } from './case.ts';
import { chooseOne } from './chosen-words.ts';

/** Calls a tool that takes nothing: the arguments must still be a JSON object, or the client's parser throws. */
export const emptyArguments: EvidenceCase = {
  name: 'EmptyArguments',
  proves: 'calls a tool without arguments',
  length: 'Short',
  needsTokens: 50,
  callsTools: true,
  protocols: ['OpenAI', 'Anthropic'],
  prepare: (tryNumber) => {
    const noun = chooseOne(tryNumber, ['rooms', 'alarms', 'printers', 'tickets', 'keys']);
    const tool: Tool = {
      name: `list_${noun}`,
      description: `Lists all ${noun}. Takes no arguments.`,
      parameters: { type: 'object', properties: {} },
    };
    return {
      ask: { prompt: `Which ${noun} are there? Call the tool to find out.`, tools: [tool], mostTokens: 1024 },
      grade: (answer) => {
        const read = readFirstCall(answer, tool);
        if (!read.read) return read.failed;
        return Object.keys(read.values).length === 0
          ? passed
          : failed('ArgumentsDiffer', JSON.stringify(read.values), '{}');
      },
    };
  },
};
