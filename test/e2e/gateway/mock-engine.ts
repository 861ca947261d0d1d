/**
 * An engine that speaks OpenAI and Anthropic as vLLM does, and does what a request asks for in its body under `mock`. It
 * listens on a Unix socket, and remembers what reached it.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** What a request asks of the mock; the AI gateway drops the query string, so it is in the body. */
const Asked = z.object({
  model: z.string().default(''),
  stream: z.boolean().default(false),
  stream_options: z.object({ include_usage: z.boolean().default(false) }).prefault({}),
  mock: z
    .object({
      events: z.int().default(3),
      everyMs: z.int().default(0),
      /** Silence before the last event. */
      gapMs: z.int().default(0),
      status: z.int().default(200),
    })
    .prefault({}),
});
export type MockRequest = z.input<typeof Asked>['mock'];
type Asked = z.output<typeof Asked>;

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Header names and values as they came, with repetitions. */
  readonly rawHeaders: readonly string[];
  readonly model: string;
  readonly bytes: number;
}

export interface MockEngine {
  readonly received: readonly Received[];
  readonly last: () => Received | undefined;
  readonly close: () => void;
}

/** Starts an engine on a Unix socket. */
export async function startMockEngine(path: string): Promise<MockEngine> {
  const received: Received[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    answer(request, response, received).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen({ path }, resolve));
  return {
    received,
    last: () => received.at(-1),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, received: Received[]): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const asked = Asked.parse(body.length === 0 ? {} : JSON.parse(body.toString()));
  const { url: path = '', headers, rawHeaders } = request;
  received.push({ path, headers, rawHeaders, model: asked.model, bytes: body.length });
  if (asked.mock.status !== 200) return respond(response, asked.mock.status, { error: { message: 'as asked' } });
  const isAnthropic = path.startsWith('/v1/messages');
  if (asked.stream) return await stream(response, asked, isAnthropic ? anthropicEvents(asked) : openAiEvents(asked));
  respond(response, 200, isAnthropic ? anthropicMessage(asked) : openAiCompletion(asked));
}

function respond(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function stream(response: ServerResponse, { mock }: Asked, events: readonly string[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  for (const [index, event] of events.entries()) {
    if (index === mock.events - 1) await sleep(mock.gapMs);
    response.write(event);
    if (index < mock.events - 1) await sleep(mock.everyMs);
  }
  response.end();
}

const usage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 4 },
};
const anthropicUsage = { input_tokens: 7, cache_read_input_tokens: 4, output_tokens: 7 };

function openAiCompletion({ model }: Asked): unknown {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }];
  return { id: 'c', object: 'chat.completion', created: 0, model, choices, usage };
}

function openAiEvents({ model, mock, stream_options: options }: Asked): readonly string[] {
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model, choices: [], ...fields })}\n\n`;
  const words = Array.from({ length: mock.events }, (_, index) =>
    chunk({ choices: [{ index: 0, delta: { content: `${index} ` } }] }),
  );
  return [...words, ...(options.include_usage ? [chunk({ usage })] : []), 'data: [DONE]\n\n'];
}

function anthropicMessage({ model }: Asked): unknown {
  const content = [{ type: 'text', text: 'hello' }];
  return {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: 'end_turn',
    usage: anthropicUsage,
  };
}

function anthropicEvents({ model, mock }: Asked): readonly string[] {
  const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const message = { id: 'm', type: 'message', role: 'assistant', model, content: [], usage: anthropicUsage };
  const words = Array.from({ length: mock.events }, (_, index) =>
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: `${index} ` } }),
  );
  const end = { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } };
  return [event('message_start', { message }), ...words, event('message_delta', end), event('message_stop', {})];
}
