import type { Answer, Call, Tool } from './ask.ts';

/** Why a try failed: the closed list, each with what it says of the engine. */
export const faultReasons = {
  TimedOut: 'the endpoint stopped answering',
  HttpError: 'the endpoint refused the request',
  Unreachable: 'the endpoint could not be reached',
  StreamError: 'the stream said that something went wrong',
  StreamCut: 'the stream ended without a finish reason',
  NotStreamed: 'the answer came in one piece',
  OutputCut: 'the answer ended at the most tokens',
  NamesDiffer: 'the copied names are not those of the list',
  CountBroken: 'a part of the long answer is missing',
  NoToolCall: 'the answer called no tool',
  ToolNameWrong: 'a call names a tool that does not exist',
  ArgumentsNotJson: 'the arguments of a call are no JSON object',
  ArgumentMissing: 'a required argument of a call is missing',
  ArgumentsDiffer: 'the arguments of a call are not those asked for',
  CallsMerged: 'two calls arrived as one',
  CallMissing: 'one of two calls is missing',
  StopIgnored: 'the answer went on beyond its stop text',
  SystemPromptForgotten: 'the answer does not do what the system prompt says',
  ContextForgotten: 'the answer lacks what the long context says',
  UsageWrong: 'the reported tokens are not those of the request',
  OwnCaseFailed: 'the expression of the case is not true',
  OwnCaseBroken: 'the expression of the case cannot be evaluated',
} as const;
export type FaultReason = keyof typeof faultReasons;

export interface Failed {
  readonly passed: false;
  readonly reason: FaultReason;
  readonly found: string;
  readonly wanted: string;
}
export type Grade = { readonly passed: true } | Failed;

export const passed: Grade = { passed: true };

/** The longest part of what was found that a grade keeps, in characters. */
const mostCharacters = 160;

/** A grade that says what was found in place of what was wanted. */
export function failed(reason: FaultReason, found: string, wanted: string): Failed {
  return { passed: false, reason, found: shorten(found), wanted: shorten(wanted) };
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= mostCharacters ? line : `${line.slice(0, mostCharacters - 3)}...`;
}

/** What is wrong with an answer whatever was asked; undefined when it came whole. */
export function gradeStream({ fault, finish, text, events }: Answer): Failed | undefined {
  if (fault !== undefined) return failed(fault.reason, fault.words, 'an answer');
  if (finish !== undefined) return undefined;
  return failed('StreamCut', `${events} events, then "${text.slice(-40)}"`, 'a finish reason at the end');
}

export type CallRead =
  | { readonly read: true; readonly values: Readonly<Record<string, unknown>> }
  | { readonly read: false; readonly failed: Failed };

/** The arguments of a call, if it names the tool and they are an object that has every required field. */
export function readCall(call: Call, tool: Tool): CallRead {
  const problem = (reason: FaultReason, found: string, wanted: string): CallRead => ({
    read: false,
    failed: failed(reason, found, wanted),
  });
  if (call.name !== tool.name) return problem('ToolNameWrong', call.name, tool.name);
  const values = parseObject(call.argumentsText);
  if (values === undefined) return problem('ArgumentsNotJson', call.argumentsText, 'a JSON object');
  const required = Array.isArray(tool.parameters.required) ? tool.parameters.required : [];
  const missing = required.filter((field) => !Object.hasOwn(values, String(field)));
  if (missing.length > 0)
    return problem('ArgumentMissing', `no ${missing.join(', ')} in ${call.argumentsText}`, required.join(', '));
  return { read: true, values };
}

/** The first call of an answer, read the same way; an answer without one has failed. */
export function readFirstCall({ calls, text }: Pick<Answer, 'calls' | 'text'>, tool: Tool): CallRead {
  const [call] = calls;
  if (call !== undefined) return readCall(call, tool);
  return { read: false, failed: failed('NoToolCall', text, `a call of ${tool.name}`) };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
