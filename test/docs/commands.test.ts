/** What pages tell a reader to type names only what is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { definitions } from '../../apis/definitions.ts';
import { root } from '../render/read-cases.ts';
import { readCommands } from './read-commands.ts';

const commands = readCommands();
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('pages show commands', () => {
  expect(commands.length).toBeGreaterThan(20);
});

test.each(commands)('$page: $command', ({ command }) => {
  const script = /^npm run (?:-s |--silent )?([\w:]+)/.exec(command)?.[1];
  if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
  const paths = [...command.matchAll(/(?:-f|--live|--patch-file) (\S+)/g)].map(([, path = '']) => path);
  const local = paths.filter((path) => /^(examples|package|docs|test)\//.test(path));
  expect(local.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const kinds = /^kubectl (?:get|delete|describe) (\S+)/.exec(command)?.[1]?.split(',') ?? [];
  const ours = new Set(definitions.flatMap(({ kind, plural }) => [kind.toLowerCase(), plural]));
  expect(kinds.filter((kind) => /^(model|inference)/.test(kind) && !ours.has(kind))).toEqual([]);
});
