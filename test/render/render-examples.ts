import { readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { WorldResult } from '../../cli/crossplane/reconcile-world.ts';
import { renderClaims } from '../../cli/render/render-claims.ts';
import { readObjects, root } from './read-cases.ts';
import { surroundings } from './surroundings.ts';

/** Every folder below `examples` whose own files hold a claim for a model, as a path from the root of the repository. */
export function listExamples(): readonly string[] {
  const files = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .map((file) => join(root, 'examples', file))
    .filter((file) => file.endsWith('.yaml') && statSync(file).isFile());
  const claims = files.filter((file) => readObjects(file).some(({ kind }) => kind === 'ModelDeployment'));
  const folders = claims.map((file) => relative(root, dirname(file)).replaceAll('\\', '/'));
  return [...new Set(folders)].sort();
}

/** An example through `modelberth render`, at the time of the golden cases. */
export async function renderExample(folder: string): Promise<WorldResult> {
  return await renderClaims({ file: join(root, folder), now: surroundings.now() });
}
