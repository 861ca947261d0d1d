/** The Chat Completions API of OpenAI, as vLLM and SGLang speak it too (platform.openai.com, read 2026-12-02). */
import { isRecord, readList, readNumber, readPath, readString } from '../../kubernetes/object.ts';
import type { Ask, Finish } from '../ask.ts';
import type { CallPart, StreamPart } from './stream-part.ts';

/** The body of a request that streams, at temperature 0, with usage at the end. */
export function openAiBody(model: string, { system, prompt, tools, stop, mostTokens }: Ask): Record<string, unknown> {
  return {
    model,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: prompt },
    ],
    max_tokens: mostTokens,
    temperature: 0,
    stream: true,
    stream_options: { include_usage: true },
    ...(stop === undefined ? {} : { stop: [stop] }),
    ...(tools === undefined ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
  };
}

const finishes: Readonly<Record<string, Finish>> = { stop: 'Stop', length: 'Length', tool_calls: 'ToolCalls' };

/** What one event adds; the last one has the usage and no choice. */
export function readOpenAi(event: Readonly<Record<string, unknown>>): StreamPart {
  const choice = readList(event, ['choices']).find(isRecord);
  const delta = readPath(choice, ['delta']);
  const reason = readString(choice, ['finish_reason']);
  const inputTokens = readNumber(event, ['usage', 'prompt_tokens']);
  const outputTokens = readNumber(event, ['usage', 'completion_tokens']);
  const thought = readString(delta, ['reasoning_content']) ?? readString(delta, ['reasoning']);
  const error = readPath(event, ['error']);
  return {
    text: readString(delta, ['content']) ?? '',
    calls: readList(delta, ['tool_calls']).filter(isRecord).map(readCall),
    ...(thought === undefined ? {} : { thought }),
    ...(reason === undefined ? {} : { finish: finishes[reason] ?? 'Other' }),
    ...(inputTokens === undefined || outputTokens === undefined ? {} : { usage: { inputTokens, outputTokens } }),
    ...(error === undefined ? {} : { error: readString(error, ['message']) ?? JSON.stringify(error) }),
  };
}

function readCall(call: Readonly<Record<string, unknown>>): CallPart {
  return {
    index: readNumber(call, ['index']) ?? 0,
    name: readString(call, ['function', 'name']) ?? '',
    argumentsText: readString(call, ['function', 'arguments']) ?? '',
  };
}

/** The body with what a hosted model refuses left out or renamed, as its words say; undefined where they name neither. */
export function adaptOpenAiBody(
  body: Readonly<Record<string, unknown>>,
  refusal: string,
): Record<string, unknown> | undefined {
  const { max_tokens: mostTokens, temperature, ...rest } = body;
  if (mostTokens !== undefined && /max_completion_tokens/.test(refusal))
    return { ...rest, ...(temperature === undefined ? {} : { temperature }), max_completion_tokens: mostTokens };
  if (temperature !== undefined && /temperature/.test(refusal))
    return { ...rest, ...(mostTokens === undefined ? {} : { max_tokens: mostTokens }) };
  return undefined;
}
