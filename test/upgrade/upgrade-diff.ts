/**
 * `npm run diff -- REF`: what an upgrade from REF to this tree changes of what runs. The golden cases of REF are rendered
 * by the functions of this tree, from the same claims and the same observed objects, and compared with what REF rendered.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord, type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import { callInProcess } from '../render/call-in-process.ts';
import { canonical } from '../render/canonical.ts';
import { readCases, readExpected, root } from '../render/read-cases.ts';
import { renderCase } from '../render/render-case.ts';
import { type Change, compareComposed, formatChanges } from './compare-composed.ts';

const [reference] = process.argv.slice(2);
if (reference === undefined) {
  console.error('Usage: npm run diff -- REF, e.g. npm run diff -- v0.1.0');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'modelberth-diff-'));
try {
  const archive = execFileSync('git', ['archive', reference, 'test/render/cases'], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const changes: Change[] = [];
  const cases = readCases(join(folder, 'test/render/cases'));
  for (const step of cases) changes.push(...(await compareCase(step)));
  console.log(formatChanges(reference, cases.length, changes));
  process.exitCode = changes.some(({ restarts }) => restarts) ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}

async function compareCase(step: ReturnType<typeof readCases>[number]): Promise<readonly Change[]> {
  const now = canonical(await renderCase(step, callInProcess));
  const composed = (rendered: unknown) =>
    readList(rendered, ['composed']).filter(isRecord) as unknown as KubernetesObject[];
  return compareComposed({
    name: step.name,
    before: composed(readExpected(step)),
    after: composed(now),
    observed: step.observed,
  });
}
