import type { Call, Tool } from '../ask.ts';
import { failed, type Grade, passed, readCall } from '../grade.ts';
import type { EvidenceCase } from './case.ts';
import { scramble } from './chosen-words.ts';

const weather: Tool = {
  name: 'get_weather',
  description: 'Says the weather of one city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'One city.' } },
    required: ['city'],
  },
};

const cities = ['Lima', 'Cairo', 'Perth', 'Bergen', 'Hanoi', 'Toronto', 'Dakar'];

/** Calls a tool twice in one answer; each call must arrive as one of its own. */
export const parallelCalls: EvidenceCase = {
  name: 'ParallelCalls',
  proves: 'calls two tools in one answer',
  length: 'Short',
  needsTokens: 120,
  callsTools: true,
  protocols: ['OpenAI', 'Anthropic'],
  prepare: (tryNumber) => {
    const first = scramble(tryNumber) % cities.length;
    const wanted = [cities[first] ?? '', cities[(first + 3) % cities.length] ?? ''];
    const prompt = `What is the weather in ${wanted.join(' and in ')}? Call the tool once for each city, both in this answer.`;
    return {
      ask: { prompt, tools: [weather], mostTokens: 1024 },
      grade: ({ calls, text }) =>
        calls.length === 0 ? failed('NoToolCall', text, 'two calls of get_weather') : gradeCalls(calls, wanted),
    };
  },
};

function gradeCalls(calls: readonly Call[], wanted: readonly string[]): Grade {
  const said = calls.map(({ name, argumentsText }) => `${name}(${argumentsText})`).join(' ');
  const holdsBoth = (call: Call) => wanted.every((city) => `${call.name} ${call.argumentsText}`.includes(city));
  if (calls.some(holdsBoth)) return failed('CallsMerged', said, 'two calls, one for each city');
  const found: unknown[] = [];
  for (const call of calls) {
    const read = readCall(call, weather);
    if (!read.read) return read.failed;
    found.push(read.values.city);
  }
  const missing = wanted.find((city) => !found.some((one) => String(one).includes(city)));
  if (missing !== undefined) return failed('CallMissing', said, `a call for ${missing}`);
  return calls.length === wanted.length ? passed : failed('ArgumentsDiffer', said, 'two calls, one for each city');
}
