/** The table of accepted and refused claims, judged by a real API server with the CRDs that Crossplane makes of our XRDs. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isRecord, type KubernetesObject, readList } from '../../../domain/kubernetes/object.ts';
import { type ClaimRow, readRows } from '../../claims/claim-row.ts';
import { type Answer, apply, connect, pathOf, read, refusalOf } from './api-client.ts';

const client = connect(inject('cluster'));
const rows = readRows();
const said = new Map<ClaimRow, readonly string[]>();

beforeAll(async () => {
  const namespaces = new Set(rows.flatMap(({ example }) => example.metadata.namespace ?? []));
  for (const name of namespaces) await apply(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const row of rows.filter(({ transition }) => transition !== true))
    said.set(row, messagesOf(await createDry(row.claim)));
  for (const row of rows.filter(({ transition }) => transition === true)) {
    await apply(client, row.example);
    said.set(row, messagesOf(await replaceDry(row)));
  }
});

afterAll(() => client.close());

async function createDry(claim: KubernetesObject): Promise<Answer> {
  const collection = await client.findCollection(claim, claim.metadata.namespace ?? 'default');
  if (collection === undefined) throw new Error(`The API server does not know ${claim.kind}`);
  return await client.call({ method: 'POST', path: `${collection}?dryRun=All&fieldValidation=Strict`, body: claim });
}

async function replaceDry({ example, claim }: ClaimRow): Promise<Answer> {
  const stored = await read(client, example);
  const resourceVersion = isRecord(stored?.metadata) ? stored.metadata.resourceVersion : undefined;
  const body = { ...claim, metadata: { ...claim.metadata, resourceVersion } };
  const path = `${await pathOf(client, claim)}?dryRun=All&fieldValidation=Strict`;
  return await client.call({ method: 'PUT', path, body });
}

/** What the server adds where it has not tried the rules, since the schema is broken already. */
const unchecked = 'some validation rules were not checked because the object was invalid';

/** Every message of a refusal as the table writes them: the field and what is wrong with it. */
function messagesOf(answer: Answer): readonly string[] {
  const refused = refusalOf(answer);
  if (refused === undefined) return [];
  const unknown = [...refused.matchAll(/unknown field "([^"]+)"/g)].map(([, path = '']) => {
    const name = path.split('.').at(-1);
    return `${path}: Invalid value: "${name}": unknown field: "${name}"`;
  });
  if (unknown.length > 0) return unknown;
  const causes = readList(answer.body, ['details', 'causes'])
    .filter(isRecord)
    // The subresource scale says once more what the schema says.
    .filter(({ field }) => !String(field).startsWith('.spec.replicas'));
  return causes.length === 0 ? [refused] : causes.map(({ field, message }) => `${field}: ${message}`);
}

test('there are claims and updates to judge', () => {
  expect(rows.filter(({ transition }) => transition !== true).length).toBeGreaterThanOrEqual(250);
  expect(rows.filter(({ transition }) => transition === true).length).toBeGreaterThanOrEqual(4);
});

test.each(rows)('the real API server says of $kind what the table says when $name', (row) => {
  const found = said.get(row) ?? [];
  const messages = found.filter((message) => !message.includes(unchecked)).sort();
  if (messages.length === found.length) {
    expect(messages).toEqual([...row.server].sort());
  } else {
    expect(messages.filter((message) => !row.server.includes(message))).toEqual([]);
    expect(messages.length).toBeGreaterThan(0);
  }
});
