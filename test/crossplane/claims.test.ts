import { beforeAll, expect, test } from 'vitest';
import { definitions } from '../../apis/definitions.ts';
import { type ClaimRow, readRows } from '../claims/claim-row.ts';
import { askApiServer, convertDefinition } from './api-server.ts';
import { readToolbox } from './toolbox.ts';
import { validate } from './validate.ts';

const toolbox = readToolbox();
const rows = readRows();
const created = rows.filter(({ transition }) => transition === undefined);
const updated = rows.filter(({ transition }) => transition === true);
const said = new Map<ClaimRow, readonly string[]>();

beforeAll(async () => {
  const verdicts = await validate(
    toolbox,
    created.map(({ claim }) => claim),
  );
  created.forEach((row, index) => {
    said.set(row, verdicts[index]?.errors ?? []);
  });
  const answer = await askApiServer(toolbox, {
    definitions: await Promise.all(definitions.map(({ plural }) => convertDefinition(toolbox, plural))),
    updates: updated.map(({ example, claim }) => ({ old: example, new: claim })),
  });
  updated.forEach((row, index) => {
    said.set(row, answer.updates[index] ?? []);
  });
});

/** The validator goes through fields in no order. */
function sorted(messages: readonly string[] | undefined): readonly string[] | undefined {
  return messages === undefined ? undefined : [...messages].sort();
}

test('there are claims and updates to judge', () => {
  expect(created.length).toBeGreaterThanOrEqual(250);
  expect(updated.length).toBeGreaterThanOrEqual(4);
});

test.each(created)('the real validator says of $kind what the table says when $name', (row) => {
  expect(sorted(said.get(row))).toEqual(sorted(row.server));
});

test.each(updated)("the API server's own rules say of an update of $kind what the table says when $name", (row) => {
  expect(sorted(said.get(row))).toEqual(sorted(row.server));
});
