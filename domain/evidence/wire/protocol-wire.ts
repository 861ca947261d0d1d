import type { Answer, Ask, Protocol } from '../ask.ts';
import { anthropicBody, anthropicVersion, readAnthropic } from './anthropic.ts';
import { adaptOpenAiBody, openAiBody, readOpenAi } from './openai.ts';
import type { StreamPart } from './stream-part.ts';

/** How a protocol is spoken: where, with which headers, and how its events are read. */
export interface ProtocolWire {
  readonly path: string;
  readonly headers: (key: string | undefined) => Readonly<Record<string, string>>;
  readonly body: (model: string, ask: Ask) => Record<string, unknown>;
  readonly read: (event: Readonly<Record<string, unknown>>) => StreamPart;
  /** The body as the endpoint would take it, from what it said when it refused one. */
  readonly adapt: (body: Readonly<Record<string, unknown>>, refusal: string) => Record<string, unknown> | undefined;
  /** The answer by what the protocol leaves out. */
  readonly complete: (answer: Answer) => Answer;
}

export const protocolWires: Readonly<Record<Protocol, ProtocolWire>> = {
  OpenAI: {
    path: '/v1/chat/completions',
    headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
    body: openAiBody,
    read: readOpenAi,
    adapt: adaptOpenAiBody,
    complete: (answer) => answer,
  },
  Anthropic: {
    path: '/v1/messages',
    headers: (key) => ({
      'anthropic-version': anthropicVersion,
      ...(key === undefined ? {} : { 'x-api-key': key }),
    }),
    body: anthropicBody,
    read: readAnthropic,
    adapt: () => undefined,
    complete: (answer) => ({ ...answer, calls: answer.calls.map(withArguments) }),
  },
};

/** A call without arguments has an empty object in its first event and sends no part of it. */
function withArguments(call: Answer['calls'][number]): Answer['calls'][number] {
  return call.argumentsText === '' ? { ...call, argumentsText: '{}' } : call;
}
