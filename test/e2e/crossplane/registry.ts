/** An OCI registry on loopback, in memory: what `crossplane xpkg push` and Crossplane's package manager ask of one. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Registry {
  /** HOST:PORT. Crossplane wants a dot in the host, so it is the address. */
  readonly host: string;
  stop(): Promise<void>;
}

interface Manifest {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Blobs by digest, manifests by `<repository>@<digest>` or `<repository>:<tag>`, uploads by their id. */
interface Store {
  readonly blobs: Map<string, Buffer>;
  readonly manifests: Map<string, Manifest>;
  readonly uploads: Map<string, Buffer>;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

/** Starts an empty registry on a free port. */
export async function startRegistry(): Promise<Registry> {
  const store: Store = { blobs: new Map(), manifests: new Map(), uploads: new Map() };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://registry');
    answer(store, { request, response, url }).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    host: `127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      return stop();
    },
  };
}

async function answer(store: Store, exchange: Exchange): Promise<void> {
  const { response, url } = exchange;
  const {
    repository = '',
    part,
    rest = '',
  } = /^\/v2\/(?<repository>.+)\/(?<part>blobs|manifests|tags)\/(?<rest>.*)$/.exec(url.pathname)?.groups ?? {};
  if (part === 'manifests') return await answerManifest(store, exchange, { repository, reference: rest });
  if (part === 'tags') return answerTags(store, exchange, repository);
  if (part === 'blobs' && rest.startsWith('uploads/')) return await answerUpload(store, exchange, repository);
  if (part === 'blobs') return answerBlob(store, exchange, rest);
  response.writeHead(url.pathname === '/v2/' ? 200 : 404).end();
}

function answerBlob({ blobs }: Store, { request, response }: Exchange, digest: string): void {
  const bytes = blobs.get(digest);
  if (bytes === undefined) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-length': bytes.length, 'docker-content-digest': digest });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

async function answerUpload(store: Store, { request, response, url }: Exchange, repository: string): Promise<void> {
  const id = request.method === 'POST' ? randomUUID() : (url.pathname.split('/').at(-1) ?? '');
  const bytes = Buffer.concat([store.uploads.get(id) ?? Buffer.alloc(0), await buffer(request)]);
  const digest = url.searchParams.get('digest');
  if (digest === null) {
    store.uploads.set(id, bytes);
    const location = `/v2/${repository}/blobs/uploads/${id}`;
    return void response.writeHead(202, { location, range: `0-${Math.max(0, bytes.length - 1)}` }).end();
  }
  store.uploads.delete(id);
  if (digestOf(bytes) !== digest) return void response.writeHead(400).end('the digest is another one');
  store.blobs.set(digest, bytes);
  response.writeHead(201, { location: `/v2/${repository}/blobs/${digest}`, 'docker-content-digest': digest }).end();
}

interface ManifestName {
  readonly repository: string;
  readonly reference: string;
}

async function answerManifest(store: Store, exchange: Exchange, { repository, reference }: ManifestName) {
  const { request, response } = exchange;
  const key = (name: string) => `${repository}${name.startsWith('sha256:') ? '@' : ':'}${name}`;
  if (request.method === 'PUT') {
    const manifest = { type: request.headers['content-type'] ?? '', bytes: await buffer(request) };
    const digest = digestOf(manifest.bytes);
    for (const name of [reference, digest]) store.manifests.set(key(name), manifest);
    return void response.writeHead(201, { 'docker-content-digest': digest }).end();
  }
  const found = store.manifests.get(key(reference));
  if (found === undefined) {
    const errors = [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }];
    return void response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ errors }));
  }
  const { type, bytes } = found;
  const headers = { 'content-type': type, 'content-length': bytes.length, 'docker-content-digest': digestOf(bytes) };
  response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : bytes);
}

function answerTags({ manifests }: Store, { response }: Exchange, repository: string): void {
  const prefix = `${repository}:`;
  const tags = [...manifests.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ name: repository, tags: tags.sort() }));
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
