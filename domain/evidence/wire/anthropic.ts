/** The Messages API of Anthropic, which vLLM speaks too (docs.anthropic.com, read 2026-12-02). */
import { readNumber, readPath, readString } from '../../kubernetes/object.ts';
import type { Ask, Finish, Usage } from '../ask.ts';
import type { StreamPart } from './stream-part.ts';

/** The version of the API that a request names. */
export const anthropicVersion = '2023-06-01';

/** The body of a request that streams, at temperature 0. */
export function anthropicBody(
  model: string,
  { system, prompt, tools, stop, mostTokens }: Ask,
): Record<string, unknown> {
  return {
    model,
    messages: [{ role: 'user', content: prompt }],
    max_tokens: mostTokens,
    temperature: 0,
    stream: true,
    ...(system === undefined ? {} : { system }),
    ...(stop === undefined ? {} : { stop_sequences: [stop] }),
    ...(tools === undefined
      ? {}
      : { tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })) }),
  };
}

const finishes: Readonly<Record<string, Finish>> = {
  end_turn: 'Stop',
  stop_sequence: 'Stop',
  max_tokens: 'Length',
  tool_use: 'ToolCalls',
};

/** What one event adds, by its type; others, such as `ping`, add nothing. */
export function readAnthropic(event: Readonly<Record<string, unknown>>): StreamPart {
  switch (readString(event, ['type'])) {
    case 'message_start':
      return { usage: readUsage(readPath(event, ['message', 'usage'])) };
    case 'content_block_start':
      return startBlock(event);
    case 'content_block_delta':
      return continueBlock(event);
    case 'message_delta':
      return { ...endMessage(event), usage: readUsage(readPath(event, ['usage'])) };
    case 'error':
      return { error: readString(event, ['error', 'message']) ?? 'no message' };
    default:
      return {};
  }
}

function startBlock(event: Readonly<Record<string, unknown>>): StreamPart {
  const block = readPath(event, ['content_block']);
  if (readString(block, ['type']) !== 'tool_use') return { text: readString(block, ['text']) ?? '' };
  return { calls: [{ index: indexOf(event), name: readString(block, ['name']) ?? '' }] };
}

function continueBlock(event: Readonly<Record<string, unknown>>): StreamPart {
  const delta = readPath(event, ['delta']);
  const json = readString(delta, ['partial_json']);
  if (json !== undefined) return { calls: [{ index: indexOf(event), argumentsText: json }] };
  return { text: readString(delta, ['text']) ?? '', thought: readString(delta, ['thinking']) ?? '' };
}

function endMessage(event: Readonly<Record<string, unknown>>): StreamPart {
  const reason = readString(event, ['delta', 'stop_reason']);
  return reason === undefined ? {} : { finish: finishes[reason] ?? 'Other' };
}

function indexOf(event: Readonly<Record<string, unknown>>): number {
  return readNumber(event, ['index']) ?? 0;
}

const inputFields = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

/** What was read from a cache is beside `input_tokens`, not in it; an end of 0 does not undo what the start said. */
function readUsage(usage: unknown): Partial<Usage> {
  const outputTokens = readNumber(usage, ['output_tokens']);
  const inputTokens = inputFields.reduce((sum, field) => sum + (readNumber(usage, [field]) ?? 0), 0);
  return {
    ...(inputTokens === 0 ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  };
}
