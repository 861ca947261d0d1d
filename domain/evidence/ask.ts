/** What is asked of an endpoint and what it answers, in words that are the same for every protocol. */

/** A function that the model may call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Ask {
  readonly system?: string;
  readonly prompt: string;
  readonly tools?: readonly Tool[];
  /** Text at which the answer must end before it is written. */
  readonly stop?: string;
  readonly mostTokens: number;
}

/** A call of a tool as it arrived: its arguments are text until somebody reads them. */
export interface Call {
  readonly name: string;
  readonly argumentsText: string;
}

/** Why an answer ended, as the endpoint says it: by itself or at a stop text, at the most tokens, or to call tools. */
export type Finish = 'Stop' | 'Length' | 'ToolCalls' | 'Other';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What went wrong before an answer could be judged. */
export interface Fault {
  readonly reason: 'TimedOut' | 'HttpError' | 'Unreachable' | 'StreamError';
  readonly words: string;
}

export interface Answer {
  readonly text: string;
  readonly calls: readonly Call[];
  /** Undefined where the stream ended without a reason. */
  readonly finish?: Finish;
  readonly usage?: Usage;
  /** Events of the stream that carried a part of the answer. */
  readonly events: number;
  readonly fault?: Fault;
  /** Milliseconds from the request to the first part of the answer; undefined when none came. */
  readonly firstPartMillis?: number;
  readonly totalMillis: number;
}

/** The APIs that an endpoint may speak. */
export const protocols = ['OpenAI', 'Anthropic'] as const;
export type Protocol = (typeof protocols)[number];
