import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { connectFunctions, type FunctionClients } from '../../cli/crossplane/function-client.ts';
import { type FunctionServers, startFunctionServers } from '../crossplane/function-servers.ts';
import { canonical } from './canonical.ts';
import { lintRendered } from './lint-rendered.ts';
import { readCases } from './read-cases.ts';
import { renderCase } from './render-case.ts';

const cases = readCases();
let servers: FunctionServers;
let clients: FunctionClients;

beforeAll(async () => {
  servers = await startFunctionServers();
  clients = connectFunctions(servers.addresses);
});
afterAll(async () => {
  clients?.close();
  await servers?.stop();
});

test('there are golden cases to render', () => {
  expect(cases.length).toBeGreaterThanOrEqual(15);
});

describe.each(cases)('case $name', (question) => {
  test('renders what is expected', async () => {
    const output = await renderCase(question, clients.call);
    expect(lintRendered({ xr: question.xr, observed: question.observed, ...output })).toEqual([]);
    const rendered = canonical(output);
    await expect(stringify(rendered, { lineWidth: 0, aliasDuplicateObjects: false })).toMatchFileSnapshot(
      question.paths.expected,
    );
  });
});
