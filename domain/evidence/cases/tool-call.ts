import type { Tool } from '../ask.ts';
import { failed, passed, readFirstCall } from '../grade.ts';
import type { EvidenceCase } from './case.ts';
import { chooseNames, chooseOne, scramble } from './chosen-words.ts';

const bookRoom: Tool = {
  name: 'book_room',
  description: 'Books a hotel room.',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'City of the hotel.' },
      nights: { type: 'integer', description: 'Number of nights.' },
      guest: { type: 'string', description: 'Full name of the guest.' },
      breakfast: { type: 'boolean', description: 'Whether breakfast is wanted.' },
    },
    required: ['city', 'nights', 'guest', 'breakfast'],
  },
};

/** Calls a tool with every required field, each with the value that was asked for (L6). */
export const toolCall: EvidenceCase = {
  name: 'ToolCall',
  proves: 'fills every required field of a tool',
  length: 'Short',
  needsTokens: 100,
  callsTools: true,
  protocols: ['OpenAI', 'Anthropic'],
  prepare: (tryNumber) => {
    const city = chooseOne(tryNumber, ['Lisbon', 'Oslo', 'Nairobi', 'Kyoto', 'Quito']);
    const nights = 2 + (scramble(tryNumber + 7) % 12);
    const [guest = ''] = chooseNames(tryNumber, 1);
    const prompt = `Book a room in ${city} for ${guest}, for ${nights} nights, with breakfast. Call the tool.`;
    const wanted = { city, nights, guest, breakfast: true };
    return {
      ask: { prompt, tools: [bookRoom], mostTokens: 1024 },
      grade: (answer) => {
        const read = readFirstCall(answer, bookRoom);
        if (!read.read) return read.failed;
        const isRight = Object.entries(wanted).every(([field, value]) => read.values[field] === value);
        return isRight ? passed : failed('ArgumentsDiffer', JSON.stringify(read.values), JSON.stringify(wanted));
      },
    };
  },
};
