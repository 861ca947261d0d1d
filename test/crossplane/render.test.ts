import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonical, printedPart } from '../render/canonical.ts';
import { readCases, readExpected } from '../render/read-cases.ts';
import { renderCaseWithCli } from './cli-render.ts';
import { renderCaseWithCore } from './core-render.ts';
import { type FunctionServers, startFunctionServers } from './function-servers.ts';
import { readToolbox } from './toolbox.ts';

const toolbox = readToolbox();
const cases = readCases();
let servers: FunctionServers;

beforeAll(async () => {
  servers = await startFunctionServers();
});
afterAll(() => servers?.stop());

test('there are golden cases to render', () => {
  expect(cases.length).toBeGreaterThanOrEqual(5);
});

describe.each(cases)('case $name', (renderCase) => {
  test('core renders, deletes, says and requires what is expected', async () => {
    const rendered = await renderCaseWithCore(toolbox.core, renderCase, servers);
    expect(canonical(rendered)).toEqual(readExpected(renderCase));
  });

  test('the Crossplane CLI prints what is expected', async () => {
    const printed = await renderCaseWithCli(toolbox, renderCase, servers);
    expect(printedPart(canonical(printed))).toEqual(printedPart(readExpected(renderCase)));
  });
});
