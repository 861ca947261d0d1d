/** L47: the set of cases from a laptop, against any endpoint and beside another one. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEngine, startEngine } from '../../test/evidence/fake-engine.ts';
import { runVerb } from '../../test/run-verb.ts';
import { probeCommand } from './probe-command.ts';
import { progressBar } from './progress-bar.ts';

let clean: RunningEngine;
let wrong: RunningEngine;
let other: RunningEngine;
beforeAll(async () => {
  [clean, wrong, other] = await Promise.all([
    startEngine('clean'),
    startEngine('wrong-30'),
    startEngine('wrong-30', 5),
  ]);
});
afterAll(() => {
  for (const engine of [clean, wrong, other]) engine.close();
});

const names = ['--case', 'CopyNames', '--tries', '50'];
const probe = (...args: readonly string[]) => runVerb(probeCommand, args);

describe('modelberth probe', () => {
  test('L6 ends with 1 for an engine that is wrong, with the share, its interval and the reason', async () => {
    const { code, out } = await probe(wrong.url, '--model', 'a', ...names);
    expect(code).toBe(1);
    expect(out).toMatch(/CopyNames {2}OpenAI {2}\d\d\/50 \d\d% \(\d\d% to \d\d%\) {2}the copied names are not/);
    expect(out).toMatch(/with a chance of 1 in 224,723:\s+50 tries, of which 2 may fail\n/);
    expect(out).toMatch(/\nThe endpoint fails CopyNames\n$/);
  });

  test('ends with 0 for one that passes, and shows the times', async () => {
    const { code, out } = await probe(`${clean.url}/v1/`, '--model', 'a', '--case', 'ToolCall', '--protocol', 'both');
    expect(code).toBe(0);
    expect(out).toMatch(/ToolCall {2}Anthropic {2}20\/20 100% \(84% to 100%\)\n/);
    expect(out).toMatch(/First: first token after \d/);
  });

  test('L47 says whether the first is worse than the second, or both fail and the case is to be looked at', async () => {
    const beside = (first: string, second: string) =>
      probe(first, '--model', 'a', '--against', second, '--model', 'b', ...names);
    const worse = await beside(wrong.url, clean.url);
    expect([worse.code, worse.out.split('\n').at(-2)]).toEqual([1, 'The first is worse than the second']);
    const better = await beside(clean.url, wrong.url);
    expect([better.code, better.out.split('\n').at(-2)]).toEqual([0, 'The first is not worse than the second']);
    const both = await beside(wrong.url, other.url);
    expect([both.code, both.out.split('\n').at(-2)]).toEqual([
      0,
      'Both fail: look at the case before you blame the engine',
    ]);
  });

  test('prints JSON with every count, and a page without a script', async () => {
    const args = [wrong.url, '--model', 'a', '--against', clean.url, ...names, '-o'];
    const json = JSON.parse((await probe(...args, 'json')).out);
    expect(json).toMatchObject({
      isWorse: true,
      first: { model: 'a', cases: [{ name: 'CopyNames', tries: 50, verdict: 'Failed' }] },
      second: { model: 'a', cases: [{ passed: 50 }] },
      compared: [{ comparison: 'FirstWorse' }],
    });
    const { out } = await probe(...args, 'html');
    expect(out).toMatch(/^<!doctype html>/);
    expect(out).not.toMatch(/<script|https?:\/\/(?!127)/);
  });

  test('L42 measures the time to the first token under the load of a team', async () => {
    const load = ['--users', '15', '--concurrency', '4', '--rounds', '1'];
    const { code, out } = await probe(clean.url, '--model', 'a', '--case', 'Usage', ...load, '-o', 'json');
    expect(code).toBe(0);
    const { load: seen } = JSON.parse(out).first;
    expect(seen).toMatchObject({ users: 15, concurrency: 4, requests: 60, failed: 0 });
    expect(seen.firstPartMillis.p95).toBeGreaterThanOrEqual(seen.firstPartMillis.p50);
  });

  test('takes keys from files and from nowhere else that is seen, and prints none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'probe-'));
    writeFileSync(join(folder, 'first'), 'sk-first\n');
    writeFileSync(join(folder, 'second'), 'sk-second\n');
    const keys = ['--key-file', join(folder, 'first'), '--against-key-file', join(folder, 'second')];
    const { out } = await probe(
      clean.url,
      '--model',
      'a',
      '--against',
      other.url,
      '--case',
      'Usage',
      ...keys,
      '-o',
      'json',
    );
    expect([[...clean.keys].at(-1), [...other.keys].at(-1)]).toEqual(['sk-first', 'sk-second']);
    expect(out).not.toContain('sk-');
  });
});

describe('modelberth probe refuses, and says the fix:', () => {
  const rows: readonly [string, readonly string[], RegExp][] = [
    ['no model', ['http://a'], /without --model: name what the endpoint serves$/],
    ['an address that is none', ['a', '--model', 'm'], /<url> "a": want an address such as/],
    ['a password in the address', ['http://u:p@a', '--model', 'm'], /it holds a password; give the key by a file/],
    [
      'an unknown case',
      ['http://a', '--model', 'm', '--case', 'Copy'],
      /--case "Copy": no such case; want one of CopyNames/,
    ],
    ['no tries', ['http://a', '--model', 'm', '--tries', '0'], /--tries "0": want a number from 1 to 1000$/],
    [
      'a key file that is missing',
      ['http://a', '--model', 'm', '--key-file', '/no/such'],
      /Cannot read the key in "\/no\/such"/,
    ],
  ];
  test.each(rows)('%s', async (_name, args, message) => {
    await expect(probe(...args)).rejects.toThrow(message);
  });
});

describe('the progress bar', () => {
  const drawn = (isTTY: boolean) => {
    let text = '';
    const write = (part: string) => {
      text += part;
    };
    const bar = progressBar({ isTTY, write }, 2);
    bar.step('CopyNames');
    bar.end();
    return text;
  };
  test('is drawn on a terminal, and is gone at the end', () => {
    expect(drawn(true)).toBe(`\r\u001b[K[${'#'.repeat(15)}${'.'.repeat(15)}] 1/2 CopyNames\r\u001b[K`);
  });
  test('is not drawn anywhere else', () => {
    expect(drawn(false)).toBe('');
  });
});
