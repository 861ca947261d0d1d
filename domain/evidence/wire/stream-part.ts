import type { Answer, Finish, Usage } from '../ask.ts';

/** What one event of a stream adds to an answer. */
export interface StreamPart {
  readonly text?: string;
  /** Thoughts count as a part of the answer, and are no text of it. */
  readonly thought?: string;
  readonly calls?: readonly CallPart[];
  readonly finish?: Finish;
  readonly usage?: Partial<Usage>;
  /** What the endpoint says went wrong within a stream that began well. */
  readonly error?: string;
}

export interface CallPart {
  readonly index: number;
  readonly name?: string;
  readonly argumentsText?: string;
}

/** An answer while it arrives. */
export interface Arriving {
  readonly text: string;
  readonly calls: ReadonlyMap<number, { readonly name: string; readonly argumentsText: string }>;
  readonly finish?: Finish;
  readonly usage?: Partial<Usage>;
  readonly error?: string;
  readonly events: number;
}

export const nothingYet: Arriving = { text: '', calls: new Map(), events: 0 };

/** The answer with one more event. */
export function addPart(arriving: Arriving, part: StreamPart): Arriving {
  const { text = '', thought = '', calls = [], finish, usage, error } = part;
  const isContent = text !== '' || thought !== '' || calls.length > 0;
  return {
    text: arriving.text + text,
    calls: calls.reduce(addCall, arriving.calls),
    events: arriving.events + (isContent ? 1 : 0),
    ...defined('finish', finish ?? arriving.finish),
    ...defined('usage', usage === undefined ? arriving.usage : { ...arriving.usage, ...usage }),
    ...defined('error', error ?? arriving.error),
  };
}

function addCall(calls: Arriving['calls'], { index, name = '', argumentsText = '' }: CallPart): Arriving['calls'] {
  const earlier = calls.get(index) ?? { name: '', argumentsText: '' };
  const joined = { name: earlier.name + name, argumentsText: earlier.argumentsText + argumentsText };
  return new Map([...calls, [index, joined]]);
}

function defined<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
}

/** What has arrived as an answer, once nothing more comes. */
export function endAnswer(
  { text, calls, finish, usage, events, error }: Arriving,
  timing: Pick<Answer, 'firstPartMillis' | 'totalMillis'>,
): Answer {
  const { inputTokens, outputTokens } = usage ?? {};
  return {
    text,
    calls: [...calls].sort(([left], [right]) => left - right).map(([, call]) => call),
    events,
    ...defined('finish', finish),
    ...(inputTokens === undefined || outputTokens === undefined ? {} : { usage: { inputTokens, outputTokens } }),
    ...(error === undefined ? {} : { fault: { reason: 'StreamError' as const, words: error } }),
    ...timing,
  };
}
