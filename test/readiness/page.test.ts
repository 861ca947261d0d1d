import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conditionTypes, reasons } from '../../domain/kubernetes/condition.ts';
import { readTable } from './read-table.ts';

const page = join(import.meta.dirname, '../../docs/readiness.md');
const { rows, later } = readTable();

test('L33 docs/readiness.md is the truth table', async () => {
  const kinds = ['ModelReplica', 'ModelDeployment', 'ModelService'] as const;
  const sections = kinds.flatMap((kind) => [
    `## ${kind}`,
    '',
    '| proved by | fact | condition | is | reason |',
    '|---|---|---|---|---|',
    ...rows
      .filter(({ on }) => on === kind)
      .map(({ objects, fact, condition, status, reason }) => {
        const link = reason in reasons ? `[${reason}](reasons/${reason}.md)` : reason;
        return `| ${objects.join(', ')} | ${fact} | ${condition} | ${status} | ${link} |`;
      }),
    '',
  ]);
  const missing = later.filter(({ condition }) => !Object.hasOwn(conditionTypes, condition));
  const text = [
    '<!-- Generated from test/readiness/table.yaml by `npm run generate`; do not edit. -->',
    '',
    '# What proves what',
    '',
    'Placed, Fits, EngineReady and Routable are separate moments (L33). None is True without the object in the first',
    'column, and what was not observed is Unknown: a test hides each of these objects from its golden case and sees that',
    'the condition is not True any more. After a fatal the conditions are Unknown, which every reader takes as hold.',
    '',
    ...sections,
    ...(missing.length === 0
      ? []
      : ['## Not set yet', '', '| will be proved by | fact | condition |', '|---|---|---|']),
    ...missing.map(({ object, fact, condition }) => `| ${object} | ${fact} | ${condition} |`),
    '',
  ];
  await expect(`${text.join('\n').trimEnd()}\n`).toMatchFileSnapshot(page);
});

test('every row is there once', () => {
  const keys = rows.map(({ on, condition, objects, status, reason }) =>
    [on, condition, objects, status, reason].join(),
  );
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
