import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../ask.ts';
import { adaptOpenAiBody } from './openai.ts';
import { protocolWires } from './protocol-wire.ts';
import { parseEvent, splitEvents } from './server-sent-events.ts';
import { addPart, endAnswer, nothingYet } from './stream-part.ts';

function readAll(protocol: Protocol, events: readonly unknown[]) {
  const wire = protocolWires[protocol];
  const parts = events.map((event) => wire.read(parseEvent(JSON.stringify(event)) ?? {}));
  return wire.complete(endAnswer(parts.reduce(addPart, nothingYet), { totalMillis: 1 }));
}

describe('splitEvents', () => {
  test('gives the same events however the bytes are cut', () => {
    const events = ['{"a":1}', '[DONE]', 'x\ny'];
    const stream = ': a comment\n\nevent: b\r\ndata: {"a":1}\r\n\r\ndata:[DONE]\n\ndata: x\ndata: y\n\n';
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (cuts) => {
        const places = [...new Set([...cuts, stream.length])].sort((left, right) => left - right);
        let rest = '';
        let from = 0;
        const seen: string[] = [];
        for (const to of places) {
          const split = splitEvents(rest + stream.slice(from, to));
          seen.push(...split.events);
          ({ rest } = split);
          from = to;
        }
        expect(seen).toEqual(events);
      }),
    );
  });

  test.each(['[DONE]', '[1]', '"a"', '{'])('parseEvent gives no object for %s', (event) => {
    expect(parseEvent(event)).toBeUndefined();
  });
});

describe('L25 a stream is read as one answer', () => {
  const delta = (value: unknown, reason?: string) => ({ choices: [{ delta: value, finish_reason: reason ?? null }] });
  const call = (index: number, rest: unknown) => delta({ tool_calls: [{ index, function: rest }] });
  const rows: readonly [string, Protocol, readonly unknown[], unknown][] = [
    [
      'of text with usage at the end',
      'OpenAI',
      [
        delta({ role: 'assistant', content: '' }),
        delta({ content: 'Hel' }),
        delta({ content: 'lo' }),
        delta({}, 'stop'),
        { choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } },
      ],
      { text: 'Hello', calls: [], finish: 'Stop', usage: { inputTokens: 9, outputTokens: 2 }, events: 2 },
    ],
    [
      'of two calls whose parts come mixed',
      'OpenAI',
      [
        call(0, { name: 'a', arguments: '' }),
        call(1, { name: 'b', arguments: '{' }),
        call(0, { arguments: '{"x":' }),
        call(1, { arguments: '}' }),
        call(0, { arguments: '1}' }),
        delta({}, 'tool_calls'),
      ],
      {
        text: '',
        finish: 'ToolCalls',
        events: 5,
        calls: [
          { name: 'a', argumentsText: '{"x":1}' },
          { name: 'b', argumentsText: '{}' },
        ],
      },
    ],
    [
      'of thoughts, which are events and no text',
      'OpenAI',
      [delta({ reasoning_content: 'hm' }), delta({ reasoning: 'hm' }), delta({ content: 'A' }), delta({}, 'length')],
      { text: 'A', calls: [], finish: 'Length', events: 3 },
    ],
    ['that ended without a reason', 'OpenAI', [delta({ content: 'A' })], { text: 'A', calls: [], events: 1 }],
    [
      'that says that it failed',
      'OpenAI',
      [delta({ content: 'A' }), { error: { message: 'out of memory' } }],
      { text: 'A', calls: [], events: 1, fault: { reason: 'StreamError', words: 'out of memory' } },
    ],
    [
      'of a call without arguments, of which no part is sent',
      'Anthropic',
      [
        {
          type: 'message_start',
          message: { usage: { input_tokens: 3, cache_read_input_tokens: 6, output_tokens: 1 } },
        },
        { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'a', input: {} } },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { input_tokens: 0, output_tokens: 7 } },
      ],
      {
        text: '',
        calls: [{ name: 'a', argumentsText: '{}' }],
        finish: 'ToolCalls',
        usage: { inputTokens: 9, outputTokens: 7 },
        events: 1,
      },
    ],
    [
      'of text, thoughts and a stop text',
      'Anthropic',
      [
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
        { type: 'ping' },
        { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'A' } },
        { type: 'message_delta', delta: { stop_reason: 'stop_sequence' } },
      ],
      { text: 'A', calls: [], finish: 'Stop', events: 2 },
    ],
    [
      'that says that it failed, over Anthropic',
      'Anthropic',
      [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
      { text: '', calls: [], events: 0, fault: { reason: 'StreamError', words: 'Overloaded' } },
    ],
  ];
  test.each(rows)('%s (%s)', (_name, protocol, events, answer) => {
    expect(readAll(protocol, events)).toEqual({ ...(answer as object), totalMillis: 1 });
  });
});

describe('a request that a hosted model refuses is sent again', () => {
  const body = { model: 'm', max_tokens: 9, temperature: 0 };
  test.each([
    [
      'with the other name of the most tokens',
      'use max_completion_tokens instead',
      { model: 'm', temperature: 0, max_completion_tokens: 9 },
    ],
    ['without a temperature', "Unsupported value: 'temperature'", { model: 'm', max_tokens: 9 }],
    ['not at all where it says something else', 'no such model', undefined],
  ])('%s', (_name, refusal, adapted) => {
    expect(adaptOpenAiBody(body, refusal)).toEqual(adapted);
  });
});
