import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const script = readFileSync(join(root, '.ci', 'run'), 'utf8');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Runs commands after all that `.ci/run` defines before its first stage, in a folder that holds one README. */
function run({ commands, readme = '' }: { readonly commands: string; readonly readme?: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelberth-ci-run-'));
  folders.push(folder);
  mkdirSync(join(folder, '.ci'));
  writeFileSync(join(folder, '.ci', 'definitions'), script.slice(0, script.search(/^stage /m)));
  writeFileSync(join(folder, 'README.md'), readme);
  const ran = spawnSync('bash', ['-c', `source .ci/definitions\n${commands}`], { cwd: folder, encoding: 'utf8' });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  return ran.stdout;
}

test('all budgets together are at most 4200 seconds, and the tools are stopped at theirs', () => {
  const calls = script.match(/^ *stage (?!\(\)).*/gm) ?? [];
  const budgets = calls.map((call) => Number(/^ *stage (?:'[^']+'|\S+) (\d+) /.exec(call)?.[1]));
  const tools = Number(/^ *record tools (\d+) /m.exec(script)?.[1]);
  expect(budgets.length).toBeGreaterThanOrEqual(4);
  expect([...budgets, tools].reduce((sum, budget) => sum + budget)).toBeLessThanOrEqual(4200);
  expect(script).toMatch(new RegExp(`timeout --kill-after=\\d+ ${tools} bash -c '.*npm run --silent tools;`));
});

// The script is for Debian: it needs bash, awk and GNU timeout.
describe.runIf(process.platform === 'linux')('on Linux', () => {
  const stub = `# Stub
\`\`\`
a diagram
\`\`\`
\`\`\`sh
git clone https://example.com/stub
cd stub
\`\`\`
\`\`\`sh
first "one" $HOME
  and its second line
\`\`\`
\`\`\`yaml
kind: Stub
\`\`\`
Text with \`\`\`sh in it.
\`\`\`sh
second
\`\`\`
`;
  const blocks: readonly [string, number, string][] = [
    ['the first sh block that does not clone', 1, 'first "one" $HOME\n  and its second line\n'],
    ['the second', 2, 'second\n'],
    ['nothing where there is none', 3, ''],
  ];
  test.each(blocks)('readme_block gives %s, to the letter', (_name, number, block) => {
    expect(run({ commands: `readme_block ${number}`, readme: stub })).toBe(block);
  });

  test.each([
    ['render', 1, /^npm ci\nnpx modelberth render .*\n$/],
    ['test', 2, /^npm test\n$/],
  ])('readme_block finds the commands of our README that %s', (_name, number, block) => {
    expect(run({ commands: `readme_block ${number}`, readme })).toMatch(block);
  });

  const passed = /^passed$/;
  const verdicts: readonly [string, string, RegExp][] = [
    ['passes when all its commands do', "stage it 5 'true\ntrue'", passed],
    ['fails with the exit code of its command', "stage it 5 'exit 7'", /^FAILED \(7\)$/],
    ['fails when a command before the last does', "stage it 5 'false\ntrue'", /^FAILED \(1\)$/],
    ['fails when a command of a pipe does', "stage it 5 'false | true'", /^FAILED \(1\)$/],
    ['fails when there are no commands', "stage it 5 ''", /^FAILED \(1\)$/],
    ['may take all of its budget', 'record it 5 5 0', passed],
    ['fails when it took longer, though its command passed', 'record it 5 6 0', /^FAILED \(over its budget\)$/],
  ];
  test.each(verdicts)('a stage %s', (_name, call, result) => {
    const commands = `{ ${call}; } >/dev/null 2>&1; printf '%s\\n' "\${#rows[@]}" "\${rows[@]}" "$failed"`;
    const [count, row = '', failed] = run({ commands }).split('\n');
    expect(row).toMatch(/^it +\d+ +\d+ {2}\S/);
    expect(row.replace(/^it +\d+ +\d+ {2}/, '')).toMatch(result);
    expect([count, failed]).toEqual(['1', result === passed ? '0' : '1']);
  });

  test('a stage that would exceed its budget is stopped and fails', () => {
    const commands = `stage it 1 'sleep 2; touch ended' >/dev/null; ls; echo "\${rows[@]}"`;
    expect(run({ commands })).toMatch(/^README\.md\nit +[12] +1 {2}FAILED \((124|over its budget)\)\n$/);
  });

  test('one stage that passes does not forgive one that failed', () => {
    const commands = `{ stage a 5 false; stage b 5 true; } >/dev/null; echo "$failed"`;
    expect(run({ commands })).toBe('1\n');
  });
});
