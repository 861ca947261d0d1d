import type { Answer, Ask, Protocol } from '../ask.ts';
import type { Grade } from '../grade.ts';

/** What a case may depend on beside the number of its try. */
export interface CaseSetting {
  /** Longest context of the endpoint in tokens, prompt and output together. */
  readonly contextTokens: number;
  /** Tokens of one filler line, measured on the endpoint; see `filler.ts`. */
  readonly tokensPerLine: number;
}

export interface PreparedTry {
  readonly ask: Ask;
  readonly grade: (answer: Answer) => Grade;
}

/** One question with an answer that a computer can judge, asked many times with other words. */
export interface EvidenceCase {
  readonly name: string;
  /** What it proves, as the end of the sentence "The engine ...". */
  readonly proves: string;
  /** A long one is tried a tenth as often. */
  readonly length: 'Short' | 'Long';
  /** Output tokens without which no answer can be right. */
  readonly needsTokens: number;
  /** Whether it needs an engine that parses calls of tools. */
  readonly callsTools: boolean;
  /** Protocols on which it is asked where several are spoken: what the numbers of the engine decide needs one. */
  readonly protocols: readonly Protocol[];
  readonly prepare: (tryNumber: number, setting: CaseSetting) => PreparedTry;
}
