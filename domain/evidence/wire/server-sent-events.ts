import { isRecord } from '../../kubernetes/object.ts';

/** The events of a stream that are complete, and the text of the one that is not yet. */
export interface SplitEvents {
  readonly events: readonly string[];
  readonly rest: string;
}

/** Splits what has arrived of a stream of server-sent events; each event is the text of its `data` lines. */
export function splitEvents(received: string): SplitEvents {
  const blocks = received.replaceAll('\r\n', '\n').split('\n\n');
  const rest = blocks.pop() ?? '';
  const events = blocks.map(dataOf).filter((data) => data !== '');
  return { events, rest };
}

function dataOf(block: string): string {
  const lines = block.split('\n').filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n');
}

/** An event as an object; undefined for one that is none, such as the `[DONE]` of OpenAI. */
export function parseEvent(event: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(event);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
