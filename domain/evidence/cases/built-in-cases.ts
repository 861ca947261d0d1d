import type { EvidenceCase } from './case.ts';
import { copyNames } from './copy-names.ts';
import { emptyArguments } from './empty-arguments.ts';
import { longArguments } from './long-arguments.ts';
import { longContext } from './long-context.ts';
import { longStream } from './long-stream.ts';
import { parallelCalls } from './parallel-calls.ts';
import { stopText } from './stop-text.ts';
import { systemPrompt } from './system-prompt.ts';
import { toolCall } from './tool-call.ts';
import { usage } from './usage.ts';

/** Names of the built-in cases in the order in which they are tried, which is that of their exit codes. */
export const caseNames = [
  'CopyNames',
  'ToolCall',
  'EmptyArguments',
  'LongArguments',
  'ParallelCalls',
  'LongStream',
  'StopText',
  'SystemPrompt',
  'LongContext',
  'Usage',
] as const;
export type CaseName = (typeof caseNames)[number];

/** The built-in cases by name. */
export const builtInCases: Readonly<Record<CaseName, EvidenceCase>> = {
  CopyNames: copyNames,
  ToolCall: toolCall,
  EmptyArguments: emptyArguments,
  LongArguments: longArguments,
  ParallelCalls: parallelCalls,
  LongStream: longStream,
  StopText: stopText,
  SystemPrompt: systemPrompt,
  LongContext: longContext,
  Usage: usage,
};
