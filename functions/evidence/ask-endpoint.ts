import type { Answer, Ask, Fault, Protocol } from '../../domain/evidence/ask.ts';
import { type ProtocolWire, protocolWires } from '../../domain/evidence/wire/protocol-wire.ts';
import { parseEvent, splitEvents } from '../../domain/evidence/wire/server-sent-events.ts';
import { type Arriving, addPart, endAnswer, nothingYet } from '../../domain/evidence/wire/stream-part.ts';

/** Where and as whom to ask. */
export interface Endpoint {
  /** With or without the `/v1` at its end. */
  readonly url: string;
  readonly model: string;
  readonly key?: string;
  /** Seconds without a byte after which an answer has stopped. */
  readonly idleSeconds: number;
}

/** Asks an endpoint by one streaming request; whatever goes wrong is in the answer. */
export async function askEndpoint(endpoint: Endpoint, protocol: Protocol, ask: Ask): Promise<Answer> {
  const wire = protocolWires[protocol];
  const question = { endpoint, wire, started: performance.now() };
  const body = wire.body(endpoint.model, ask);
  const first = await send(question, body);
  const adapted = first.refusal === undefined ? undefined : wire.adapt(body, first.refusal);
  if (adapted === undefined) return wire.complete(first.answer);
  const second = await send({ ...question, started: performance.now() }, adapted);
  const again = second.refusal === undefined ? undefined : wire.adapt(adapted, second.refusal);
  if (again === undefined) return wire.complete(second.answer);
  return wire.complete((await send({ ...question, started: performance.now() }, again)).answer);
}

interface Question {
  readonly endpoint: Endpoint;
  readonly wire: ProtocolWire;
  /** By the clock of `performance`. */
  readonly started: number;
}

interface Sent {
  readonly answer: Answer;
  /** What the endpoint said when it refused the request. */
  readonly refusal?: string;
}

/** The longest part of a refusal that is kept, in characters. */
const mostCharacters = 300;

async function send(question: Question, body: Record<string, unknown>): Promise<Sent> {
  const { endpoint, wire } = question;
  const watch = watchIdle(endpoint.idleSeconds);
  try {
    const response = await fetch(addressOf(endpoint.url, wire.path), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...wire.headers(endpoint.key) },
      body: JSON.stringify(body),
      signal: watch.signal,
    });
    if (response.ok && response.body !== null) return { answer: await readStream(question, response.body, watch) };
    const refusal = withoutKey((await response.text()).slice(0, mostCharacters), endpoint);
    const fault: Fault = { reason: 'HttpError', words: `HTTP ${response.status}: ${refusal}` };
    return { answer: endedBy(question, fault), refusal };
  } catch (error) {
    return { answer: endedBy(question, faultOf(error, watch.signal, endpoint.idleSeconds)) };
  } finally {
    watch.stop();
  }
}

/** Some endpoints repeat a wrong key in what they say. */
function withoutKey(words: string, { key }: Endpoint): string {
  return key === undefined ? words : words.replaceAll(key, 'the key');
}

/** The address of an API; a base that ends with `/v1` is one without it. */
function addressOf(url: string, path: string): string {
  return `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}${path}`;
}

interface IdleWatch {
  readonly signal: AbortSignal;
  readonly seen: () => void;
  readonly stop: () => void;
}

/** Aborts when nothing was seen for so long. */
function watchIdle(seconds: number): IdleWatch {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), seconds * 1000);
  return { signal: controller.signal, seen: () => timer.refresh(), stop: () => clearTimeout(timer) };
}

async function readStream(
  { endpoint, wire, started }: Question,
  body: ReadableStream<Uint8Array>,
  watch: IdleWatch,
): Promise<Answer> {
  let arriving: Arriving = nothingYet;
  let firstPartMillis: number | undefined;
  let fault: Fault | undefined;
  try {
    for await (const event of readEvents(body, watch.seen)) {
      arriving = addPart(arriving, wire.read(parseEvent(event) ?? {}));
      if (arriving.events > 0) firstPartMillis ??= performance.now() - started;
    }
  } catch (error) {
    // A connection that is reset cuts the stream, which the missing finish reason says.
    if (watch.signal.aborted) fault = faultOf(error, watch.signal, endpoint.idleSeconds);
  }
  const totalMillis = performance.now() - started;
  const answer = endAnswer(arriving, { totalMillis, ...(firstPartMillis === undefined ? {} : { firstPartMillis }) });
  return fault === undefined ? answer : { ...answer, fault };
}

async function* readEvents(body: ReadableStream<Uint8Array>, seen: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    seen();
    const split = splitEvents(rest + decoder.decode(bytes, { stream: true }));
    rest = split.rest;
    yield* split.events;
  }
  // The last event of a stream may lack the empty line after it.
  yield* splitEvents(`${rest}\n\n`).events;
}

function endedBy({ started }: Question, fault: Fault): Answer {
  return { text: '', calls: [], events: 0, fault, totalMillis: performance.now() - started };
}

function faultOf(error: unknown, signal: AbortSignal, idleSeconds: number): Fault {
  if (signal.aborted) return { reason: 'TimedOut', words: `nothing for ${idleSeconds} s` };
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return { reason: 'Unreachable', words: cause instanceof Error ? cause.message || cause.name : String(cause) };
}
