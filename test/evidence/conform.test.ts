/** S7: what the pod of an evidence Job runs, against engines on real sockets: its exit code and what it leaves. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conformCommand } from '../../functions/evidence/conform-command.ts';
import { startEngine } from './fake-engine.ts';
import type { FaultKind } from './fake-model.ts';

const asked = ['--model=chat/llama', '--case=CopyNames', '--case=ToolCall', '--case=Usage', '--parallel=2'];
const limits = ['--tries=50', '--least-pass-share=0.96', '--context=16384', '--most-output=4096', '--patience=0'];

async function conform(url: string) {
  const termination = join(mkdtempSync(join(tmpdir(), 'conform-')), 'log');
  let code: number | undefined;
  const lines: string[] = [];
  const command = conformCommand(
    (given) => {
      code = given;
    },
    (line) => lines.push(line),
  );
  const where = [`--url=${url}`, '--protocol=OpenAI', '--protocol=Anthropic', `--termination=${termination}`];
  await command.parseAsync([...where, ...asked, ...limits], { from: 'user' });
  return { code, lines, termination };
}

test.each<[FaultKind, number, RegExp]>([
  ['clean', 0, /^\{"firstTokenMillis":\{"median":\d+,"ninetyFifth":\d+\}/],
  ['wrong-30', 20, /^\{"failure":"CopyNames over OpenAI failed in \d+ of \d+ tries: the copied names are not/],
  ['drops-argument', 21, /^\{"failure":"ToolCall over OpenAI failed in \d+ of \d+ tries: a required argument/],
  ['reports-usage-wrong', 29, /^\{"failure":"Usage over OpenAI/],
])('L6 the check of an engine that is %s ends with exit code %i', async (fault, code, left) => {
  const engine = await startEngine(fault);
  const ended = await conform(engine.url);
  engine.close();
  expect(ended.code).toBe(code);
  expect(readFileSync(ended.termination, 'utf8')).toMatch(left);
});

test('S5 an engine that is never reached is no verdict: the Job tries again', async () => {
  const engine = await startEngine('clean');
  engine.close();
  expect(await conform(engine.url)).toMatchObject({ code: 75, lines: [`Cannot reach ${engine.url} within 0 s`] });
});
