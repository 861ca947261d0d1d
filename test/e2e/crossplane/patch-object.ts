import { type KubernetesObject, readString } from '../../../domain/kubernetes/object.ts';
import type { ApiClient } from '../cluster/api-client.ts';

/** Says something of an object, as its controller would. */
export async function patchStatus(
  client: ApiClient,
  object: KubernetesObject,
  status: Readonly<Record<string, unknown>>,
) {
  await patch(client, object, { path: '/status', body: { status } });
}

interface Patch {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An object that went away meanwhile needs no status. */
export async function patch(client: ApiClient, object: KubernetesObject, { path, body }: Patch): Promise<void> {
  const collection = await client.findCollection(object, object.metadata.namespace);
  const type = 'application/merge-patch+json';
  const answer = await client.call({
    method: 'PATCH',
    path: `${collection}/${object.metadata.name}${path}`,
    body,
    type,
  });
  if (answer.status >= 300 && answer.status !== 404 && answer.status !== 409)
    throw new Error(`Cannot play ${object.kind} "${object.metadata.name}": ${readString(answer.body, ['message'])}`);
}
