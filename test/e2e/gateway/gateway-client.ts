/** A client of the gateway: requests over TLS through a Unix socket, as HTTP/1.1 or HTTP/2, and streams that are watched. */
import http, { type IncomingMessage } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { connect as connectTls } from 'node:tls';
import type { MockRequest } from './mock-engine.ts';

export interface Call {
  readonly path?: string;
  readonly method?: string;
  /** The host name that is asked for, in SNI and in the Host header. */
  readonly host?: string;
  /** Another SNI than the Host header. */
  readonly sni?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names and values one after the other, sent as they are: a name may come twice. */
  readonly rawHeaders?: readonly string[];
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface WatchedStream {
  readonly status: number;
  /** Events of the answer that arrived. */
  readonly events: number;
  /** Whether the last event of the protocol arrived. */
  readonly isComplete: boolean;
  readonly seconds: number;
}

/** The API of the claims. */
export const apiHost = 'api.inference.example.com';

/** A body of a chat request that tells the mock what to do. */
export function chat(model: string, mock: MockRequest = {}, more: object = {}): string {
  return JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }], mock, ...more });
}

/** The Unix sockets in front of the HTTPS and the HTTP port. */
export interface GatewaySockets {
  readonly https: string;
  readonly http: string;
}

/** One call over HTTPS. */
export async function call(sockets: GatewaySockets, wanted: Call): Promise<Answer> {
  return await readAnswer(await open(sockets, wanted));
}

/** One call over plain HTTP. */
export async function callPlain({ http: socketPath }: GatewaySockets, path: string): Promise<Answer> {
  const options = { socketPath, path, headers: { host: apiHost }, agent: false };
  return await readAnswer(await new Promise((resolve, reject) => send(http.request(options), { resolve, reject })));
}

/** A stream to its end, over HTTP/1.1. */
export async function watch(sockets: GatewaySockets, wanted: Call): Promise<WatchedStream> {
  const start = performance.now();
  const response = await open(sockets, wanted);
  const { body } = await readAnswer(response);
  return summarise(response.statusCode ?? 0, body, start);
}

/** A stream to its end, over HTTP/2. */
export async function watchHttp2({ https: path }: GatewaySockets, wanted: Call): Promise<WatchedStream> {
  const { host = apiHost } = wanted;
  const start = performance.now();
  const socket = connectTls({ path, servername: host, ALPNProtocols: ['h2'], rejectUnauthorized: false });
  const session = http2.connect(`https://${host}`, { createConnection: () => socket });
  session.on('error', () => {}); // A cut session ends its stream, which says what arrived.
  const stream = session.request({ ':path': wanted.path ?? '/', ':method': 'POST', ...headersOf(wanted) });
  const chunks: Buffer[] = [];
  let status = 0;
  stream.on('response', (answered) => {
    status = Number(answered[':status']);
  });
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('error', () => {});
  stream.end(wanted.body);
  await new Promise((resolve) => stream.on('close', resolve));
  session.destroy();
  return summarise(status, Buffer.concat(chunks).toString(), start);
}

function open({ https: socketPath }: GatewaySockets, wanted: Call): Promise<IncomingMessage> {
  const { path = '/', body, host = apiHost, sni = host } = wanted;
  const method = wanted.method ?? (body === undefined ? 'GET' : 'POST');
  const own = ['host', host, 'content-length', String(Buffer.byteLength(body ?? ''))];
  const headers = [...own, ...Object.entries(headersOf(wanted)).flat(), ...(wanted.rawHeaders ?? [])];
  const options = { socketPath, servername: sni, rejectUnauthorized: false, agent: false, path, method, headers };
  return new Promise((resolve, reject) => send(https.request(options), { resolve, reject, body }));
}

interface Sent {
  readonly resolve: (response: IncomingMessage) => void;
  readonly reject: (error: Error) => void;
  readonly body?: string | Buffer | undefined;
}

function send(request: http.ClientRequest, { resolve, reject, body }: Sent): void {
  let isAnswered = false;
  request.on('response', (response) => {
    isAnswered = true;
    resolve(response);
  });
  // A refused upload is answered and then reset.
  request.on('error', (error) => isAnswered || reject(error));
  request.end(body);
}

function headersOf({ key, headers = {} }: Call): Record<string, string> {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return { 'content-type': 'application/json', ...authorization, ...headers };
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch {
    // Cut: the status and what arrived say how far it came.
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() };
}

function summarise(status: number, text: string, start: number): WatchedStream {
  const events = text.split('\n\n').filter((event) => event.includes('data:')).length;
  const isComplete = text.includes('data: [DONE]') || text.includes('event: message_stop');
  return { status, events, isComplete, seconds: (performance.now() - start) / 1000 };
}
