/** A client of the API server in as few words as the tests need; resources are found by discovery. */
import { Agent, request as httpsRequest } from 'node:https';
import { isKubernetesObject, isRecord, type KubernetesObject, readList } from '../../../domain/kubernetes/object.ts';

/** How the API server is reached. */
export interface ClusterAccess {
  readonly url: string;
  readonly certificateAuthority: string;
  readonly token: string;
}

/** What the API server answers to a request, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
}

export interface ApiClient {
  call(call: Call): Promise<Answer>;
  close(): void;
  /** Path of a kind's collection; undefined when the API server does not know the kind. */
  findCollection(
    object: Pick<KubernetesObject, 'apiVersion' | 'kind'>,
    namespace?: string,
  ): Promise<string | undefined>;
}

/** The field manager of everything that these tests apply, as Crossplane has one for each composite resource. */
const fieldManager = 'apiextensions.crossplane.io/composed/cluster-test';

interface Resource {
  readonly name: string;
  readonly namespaced: boolean;
}

/** A client with connections of its own. */
export function connect({ url, certificateAuthority, token }: ClusterAccess): ApiClient {
  const agent = new Agent({ keepAlive: true, ca: certificateAuthority, maxSockets: 8 });
  const known = new Map<string, Promise<ReadonlyMap<string, Resource>>>();
  const call = ({ method, path, body, type = 'application/json' }: Call): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      // Without its length Node sends the body of a DELETE as if it were the next request.
      const length = sent === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(sent) };
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json', ...length };
      const request = httpsRequest(`${url}${path}`, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: parse(Buffer.concat(chunks).toString()) });
        });
      });
      request.on('error', reject);
      request.end(sent);
    });
  const findCollection: ApiClient['findCollection'] = async ({ apiVersion, kind }, namespace) => {
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const found = known.get(base) ?? discover(call, base);
    known.set(base, found);
    const resource = (await found).get(kind);
    // A kind may come later than its group.
    if (resource === undefined) known.delete(base);
    if (resource === undefined) return undefined;
    return resource.namespaced && namespace !== undefined
      ? `${base}/namespaces/${namespace}/${resource.name}`
      : `${base}/${resource.name}`;
  };
  return { call, findCollection, close: () => agent.destroy() };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function discover(call: ApiClient['call'], base: string): Promise<ReadonlyMap<string, Resource>> {
  const { body } = await call({ method: 'GET', path: base });
  const resources = readList(body, ['resources'])
    .filter(isRecord)
    .filter(({ name }) => !String(name).includes('/'));
  return new Map(
    resources.map(({ kind, name, namespaced }) => [
      String(kind),
      { name: String(name), namespaced: namespaced === true },
    ]),
  );
}

/** The path of an object. Throws when the API server does not know its kind. */
export async function pathOf(client: ApiClient, object: KubernetesObject): Promise<string> {
  const { apiVersion, kind, metadata } = object;
  const collection = await client.findCollection(object, metadata.namespace);
  if (collection === undefined) throw new Error(`The API server does not know ${apiVersion} ${kind}`);
  return `${collection}/${metadata.name ?? ''}`;
}

export interface ApplyOptions {
  /** Judges without storing. */
  readonly isDryRun?: boolean;
  readonly subresource?: 'status';
}

/** Server-side apply with strict field validation, as our field manager, and what is answered. */
export async function tryApply(
  client: ApiClient,
  object: KubernetesObject,
  { isDryRun = false, subresource }: ApplyOptions = {},
): Promise<Answer> {
  const query = new URLSearchParams({ fieldManager, fieldValidation: 'Strict', force: 'true' });
  if (isDryRun) query.set('dryRun', 'All');
  const path = await pathOf(client, object);
  return await client.call({
    method: 'PATCH',
    path: `${path}${subresource === undefined ? '' : `/${subresource}`}?${query}`,
    body: object,
    type: 'application/apply-patch+yaml',
  });
}

/** Server-side apply; returns the object as stored. Throws with what the API server says when it refuses. */
export async function apply(client: ApiClient, object: KubernetesObject, options: ApplyOptions = {}) {
  return toObject(await tryApply(client, object, options), `apply ${object.kind} "${object.metadata.name}"`);
}

/** An object as stored; undefined when it is not there. */
export async function read(client: ApiClient, object: KubernetesObject): Promise<KubernetesObject | undefined> {
  const answer = await client.call({ method: 'GET', path: await pathOf(client, object) });
  return answer.status === 404 ? undefined : toObject(answer, `read ${object.kind} "${object.metadata.name}"`);
}

/** Takes an object away without waiting for it to be gone. */
export async function remove(client: ApiClient, object: KubernetesObject): Promise<void> {
  await client.call({ method: 'DELETE', path: `${await pathOf(client, object)}?propagationPolicy=Background` });
}

/** The objects of a kind in a namespace, or everywhere. */
export async function list(
  client: ApiClient,
  kind: Pick<KubernetesObject, 'apiVersion' | 'kind'>,
  namespace?: string,
): Promise<readonly KubernetesObject[]> {
  const collection = await client.findCollection(kind, namespace);
  if (collection === undefined) throw new Error(`The API server does not know ${kind.apiVersion} ${kind.kind}`);
  const { body } = await client.call({ method: 'GET', path: collection });
  return readList(body, ['items'])
    .filter(isRecord)
    .map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind }))
    .filter(isKubernetesObject);
}

export const pods = { apiVersion: 'v1', kind: 'Pod' } as const;

function toObject({ status, body }: Answer, action: string): KubernetesObject {
  if (status < 300 && isKubernetesObject(body)) return body;
  throw new Error(`Cannot ${action}: ${status} ${isRecord(body) ? String(body.message) : String(body)}`);
}

/** What the API server says against a request; undefined when it accepts. */
export function refusalOf({ status, body }: Answer): string | undefined {
  if (status < 300) return undefined;
  return isRecord(body) ? String(body.message) : String(body);
}
