/** Every command of `modelberth` that pages show is run as it stands. */
import { expect, test } from 'vitest';
import { modelberth } from '../run-verb.ts';
import { readCommands } from './read-commands.ts';

const commands = readCommands().filter(({ command }) => /^(npx )?modelberth (?!serve)[^|<>]*$/.test(command));

test('pages show commands of modelberth', () => {
  expect(commands.length).toBeGreaterThan(5);
});

/** What a long run says of its progress on standard error. */
const progress = /^\d+ of \d+ worlds played .*\n/gm;

/** Where the page says that something is lacking. */
const lacking = /^npx modelberth doctor --live/;

test.each(commands)('$page: $command', async ({ command }) => {
  const { code, out, err } = await modelberth(...command.replace(/^npx /, '').split(/\s+/).slice(1));
  expect([code, err.replaceAll(progress, '')]).toEqual([lacking.test(command) ? 1 : 0, '']);
  expect(out.length).toBeGreaterThan(50);
});
