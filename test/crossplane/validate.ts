import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { type KubernetesObject, readString } from '../../domain/kubernetes/object.ts';
import type { Toolbox } from '../../scripts/tool-cache.ts';
import { readDefinitions, root } from '../render/read-cases.ts';
import { runProgram } from './run-program.ts';

/** Everything that is wrong with one object by its schema and CEL rules; empty when it is valid. */
export interface Verdict {
  readonly object: KubernetesObject;
  readonly errors: readonly string[];
}

const Report = z.object({
  resources: z.array(
    z.object({
      apiVersion: z.string(),
      kind: z.string(),
      name: z.string().optional(),
      status: z.enum(['valid', 'invalid', 'missingSchema']),
      errors: z.array(z.object({ message: z.string() })).optional(),
    }),
  ),
});

/** Objects that one run of the CLI judges: all golden cases at once take longer than a program may. */
const mostAtOnce = 500;

/**
 * Judges objects as `crossplane resource validate` does: against our XRDs, the providers' CRDs in their oldest supported
 * versions and Kubernetes' own kinds; a kind that none of them has is an error. Verdicts come in the order of objects.
 * Equal objects are judged once: the steps of a case share most of what they start from.
 */
export async function validate(toolbox: Toolbox, objects: readonly KubernetesObject[]): Promise<readonly Verdict[]> {
  const keys = objects.map(canonicalJson);
  const distinct = new Map(objects.map((object, index) => [keys[index], object]));
  const verdicts = await validateDistinct(toolbox, [...distinct.values()]);
  const byKey = new Map([...distinct.keys()].map((key, index) => [key, verdicts[index]?.errors ?? []]));
  return objects.map((object, index) => ({ object, errors: byKey.get(keys[index]) ?? [] }));
}

async function validateDistinct(toolbox: Toolbox, objects: readonly KubernetesObject[]): Promise<readonly Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), 'modelberth-validate-'));
  try {
    const extensions = copyExtensions(toolbox, folder);
    const args = ['resource', 'validate', extensions, '-', '--crossplane-image=', '--error-on-missing-schemas'];
    const verdicts: Verdict[] = [];
    for (let start = 0; start < objects.length; start += mostAtOnce) {
      const part = objects.slice(start, start + mostAtOnce);
      const input = part.map((object) => JSON.stringify(object)).join('\n---\n');
      const run = await runProgram(
        toolbox.cli,
        [...args, '--output=json', `--cache-dir=${join(folder, 'cache')}`],
        input,
      );
      verdicts.push(...readReport(run.stdout.toString(), run.stderr, part));
    }
    return verdicts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One folder with our XRDs and all CRDs. */
function copyExtensions(toolbox: Toolbox, folder: string): string {
  const extensions = join(folder, 'extensions');
  cpSync(toolbox.crds, extensions, { recursive: true });
  for (const definition of readDefinitions()) {
    const plural = readString(definition, ['spec', 'names', 'plural']) ?? '';
    cpSync(join(root, 'apis', plural, 'definition.yaml'), join(extensions, `${plural}.yaml`));
  }
  return extensions;
}

function readReport(stdout: string, stderr: string, objects: readonly KubernetesObject[]): readonly Verdict[] {
  if (!stdout.startsWith('{')) throw new Error(`Cannot validate with the Crossplane CLI: ${stderr}`);
  const { resources } = Report.parse(JSON.parse(stdout));
  if (resources.length !== objects.length) {
    throw new Error(
      `Cannot match the report of the Crossplane CLI: found ${resources.length} resources, want ${objects.length}`,
    );
  }
  return objects.map((object, index) => {
    const found = resources[index];
    if (found === undefined || found.kind !== object.kind || found.name !== object.metadata.name) {
      throw new Error(
        `Cannot match the report of the Crossplane CLI: found ${found?.kind} "${found?.name}", want ${object.kind} "${object.metadata.name}"`,
      );
    }
    if (found.status === 'valid') return { object, errors: [] };
    if (found.status === 'missingSchema')
      return { object, errors: [`No CRD or XRD has ${object.apiVersion} ${object.kind}`] };
    return { object, errors: (found.errors ?? []).map(({ message }) => message) };
  });
}
