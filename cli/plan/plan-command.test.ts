import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runVerb } from '../../test/run-verb.ts';
import { UnreadableInput } from '../unreadable.ts';
import type { Plan } from './plan.ts';
import { planCommand } from './plan-command.ts';

const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/poc-2');
const live = join(root, 'test/plan/poc-2-live');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plan-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function plan(file: string, ...args: readonly string[]): Promise<{ code: number; plan: Plan }> {
  const { code, out } = await runVerb(planCommand, ['-f', file, '-o', 'json', ...args]);
  return { code, plan: JSON.parse(out) };
}

/** A copy of the example with a text of its claims replaced. */
function edited(name: string, from: string, to: string): string {
  const copy = join(folder, name);
  cpSync(example, copy, { recursive: true });
  const path = join(copy, '2-claims.yaml');
  const written = readFileSync(path, 'utf8');
  if (!written.includes(from)) throw new Error(`the claims have no "${from}"`);
  writeFileSync(path, written.replace(from, to));
  return copy;
}

describe('modelberth plan of poc-2 where a pool was renamed by hand and an engine is older', () => {
  test('L12 L41 replaces nothing, keeps the renamed pool, and restarts the pods of that engine', async () => {
    const { code, plan: found } = await plan(example, '--live', live);
    expect(code).toBe(0);
    expect(Object.keys(found).slice(0, 4)).toEqual(['changes', 'replaced', 'restarts', 'usdPerHour']);
    expect(found.replaced).toEqual([]);
    expect(found.changes.filter(({ name }) => name === 'mimo-second-card')).toEqual([
      {
        kind: 'NodeGroup',
        name: 'mimo-second-card',
        action: 'keep',
        why: expect.stringMatching(/^renamed by hand, and known by its key "pool-mimo-0-/),
      },
    ]);
    expect(found.restarts).toEqual([
      { pod: 'mimo-0-gang-0', order: 1, downtimeMinutes: 85 },
      { pod: 'mimo-0-gang-0-1', order: 1, downtimeMinutes: 85 },
    ]);
    expect(found.usdPerHour).toEqual({ before: 9.7304, after: 9.7304 });
    const moving = found.changes.filter(({ action }) => action !== 'keep');
    expect(moving.map(({ action, kind }) => `${action} ${kind}`)).toEqual([
      'create ControllerRevision',
      'update LeaderWorkerSet',
      'update ModelDeployment',
      'update ModelReplica',
      'create ResourceClaimTemplate',
      'delete ResourceClaimTemplate',
    ]);
    expect(found.streams).toEqual([{ object: 'mimo-0-gang', why: expect.stringMatching(/^streams that run 61 min/) }]);
    expect(found.capacity).toEqual([]);
    expect(found.problems).toEqual([]);
  });

  test('changes nothing where the claims are the live ones, read from standard input', async () => {
    const args = ['plan', '-f', join(live, '1-claims.yaml'), '--live', '-', '-o', 'json'];
    const child = spawn(process.execPath, [join(root, 'bin/modelberth.js'), ...args], { cwd: root });
    for (const file of readdirSync(live).sort()) child.stdin.write(readFileSync(join(live, file), 'utf8'));
    child.stdin.end();
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const found: Plan = JSON.parse(out);
    expect(new Set(found.changes.map(({ action }) => action))).toEqual(new Set(['keep']));
    expect(found.restarts).toEqual([]);
  });

  test('says as text what restarts, in which order, for how long, and what it costs', async () => {
    const { code, out } = await runVerb(planCommand, ['-f', example, '--live', live]);
    expect(code).toBe(0);
    expect(out).toMatch(/\n {2}= keep {4}NodeGroup mimo-second-card +renamed by hand/);
    expect(out).toMatch(/\nRESTARTS\n {2}1 {2}mimo-0-gang-0 +down for 85 min at most\n/);
    expect(out).toMatch(/\n2 to create, 3 to update, 0 to replace, 1 to delete, \d+ kept; USD 9\.73\/h\n/);
  });
});

describe('modelberth plan', () => {
  test('asks for everything where nothing exists', async () => {
    const { code, plan: found } = await plan(example);
    expect(code).toBe(0);
    expect(new Set(found.changes.map(({ action }) => action))).toEqual(new Set(['create']));
    expect(found.capacity.map(({ replica }) => replica)).toEqual(['mimo-0', 'qwen-0']);
    expect(found.usdPerHour).toEqual({ before: 0, after: 11.2903 });
  });

  test('adds a replica with its own pool, and restarts nothing', async () => {
    const more = edited(
      'more',
      'classes: [l40s]\n  budget:\n    usdPerHour: 3.10',
      'classes: [l40s]\n  replicas: 2\n  budget:\n    usdPerHour: 6.20',
    );
    const claims = readFileSync(join(more, '2-claims.yaml'), 'utf8').replace('mimo-v2.6\n', 'mimo-v2.5\n');
    writeFileSync(join(more, '2-claims.yaml'), claims);
    const { plan: found } = await plan(more, '--live', live);
    expect(found.restarts).toEqual([]);
    expect(found.capacity).toEqual([
      { replica: 'qwen-1', asks: expect.stringContaining('1 node of NodeGroup "qwen-1-l40s-') },
    ]);
    expect(
      found.changes
        .filter(({ kind }) => kind === 'NodeGroup')
        .map(({ action }) => action)
        .sort(),
    ).toEqual(['create', 'keep', 'keep', 'keep', 'keep']);
  });

  test('lets a replica go with everything that it has', async () => {
    const none = edited('none', 'classes: [l40s]\n', 'classes: [l40s]\n  replicas: 0\n');
    const { plan: found } = await plan(none, '--live', live);
    const deleted = found.changes.filter(({ action }) => action === 'delete');
    expect(deleted.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['ModelReplica', 'NodeGroup', 'Deployment', 'Service']),
    );
    expect(found.usdPerHour.after).toBe(6.7262);
    expect(found.restarts.map(({ pod }) => pod)).toEqual(['mimo-0-gang-0', 'mimo-0-gang-0-1']);
  });

  test('gives 1 where a claim is refused, and says why', async () => {
    const { code, plan: found } = await plan(
      edited('misfit', 'contextTokens: 32768', 'contextTokens: 3276800'),
      '--live',
      live,
    );
    expect(code).toBe(1);
    expect(found.problems.join('\n')).toContain('qwen');
  });
});

describe('modelberth plan refuses', () => {
  const rows: readonly [string, RegExp, readonly string[]][] = [
    [
      '2-composed.yaml',
      /has composed a SecurityPolicy, and there is none of it.*add what "kubectl get .*nodegroups\.eks\.aws/,
      ['1', '3'],
    ],
    [
      '3-made-by-others.yaml',
      /"mimo-0" has seen a Pod, and there is none.*add what "kubectl get .*nodes,pods/,
      ['1', '2'],
    ],
  ];
  test.each(rows)('a live state without %s, with the kinds that it needs', async (_name, message, kept) => {
    const part = mkdtempSync(join(folder, 'part-'));
    for (const file of readdirSync(live).filter((name) => kept.includes(name.charAt(0))))
      cpSync(join(live, file), join(part, file));
    const planned = plan(example, '--live', part);
    await expect(planned).rejects.toThrow(UnreadableInput);
    await expect(planned).rejects.toThrow(message);
  });

  test('a folder without a claim', async () => {
    await expect(plan(join(live, '3-made-by-others.yaml'))).rejects.toThrow(/it has no claim; write one of/);
  });
});
