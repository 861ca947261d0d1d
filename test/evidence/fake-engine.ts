import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { anthropicEvents, type FakeEngine, type FaultKind, keyOf, openAiEvents, readAsked, say } from './fake-model.ts';

export interface RunningEngine {
  readonly url: string;
  /** Keys that requests came with. */
  readonly keys: ReadonlySet<string>;
  readonly close: () => void;
}

/** Numbers between 0 and 1 that are the same in every run (mulberry32). */
export function seededChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A fake engine on a port of its own; every answer streams. */
export async function startEngine(fault: FaultKind, seed = 1): Promise<RunningEngine> {
  const engine: FakeEngine = { fault, chance: seededChance(seed) };
  const keys = new Set<string>();
  const server = createServer((request, response) => {
    keys.add(keyOf(request.headers) ?? '');
    answer(engine, request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, keys, close };
}

async function answer(engine: FakeEngine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: unknown = JSON.parse(await text(request));
  if (engine.fault === 'refuses') {
    response.writeHead(500).end('{"error": {"message": "the engine is broken"}}');
    return;
  }
  const isAnthropic = request.url === '/v1/messages';
  if (!isAnthropic && request.url !== '/v1/chat/completions') {
    response.writeHead(404).end('no such path');
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (engine.fault === 'hangs') {
    response.write(': still there\n\n');
    return;
  }
  const said = say(engine, readAsked(body));
  const events = isAnthropic ? anthropicEvents(said) : openAiEvents(said);
  const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  response.end(`${lines.join('')}${isAnthropic || said.finish === undefined ? '' : 'data: [DONE]\n\n'}`);
}
