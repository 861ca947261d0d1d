import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import type { RenderEvent, RenderOutput } from '../../cli/crossplane/render-output.ts';
import { isKubernetesObject, type KubernetesObject, readString } from '../../domain/kubernetes/object.ts';
import type { Toolbox } from '../../scripts/tool-cache.ts';
import { type RenderCase, readObjects } from '../render/read-cases.ts';
import { type FunctionServers, functionAddresses } from './function-servers.ts';
import { runProgram } from './run-program.ts';

/**
 * One golden case through `crossplane composition render`. It prints neither deletions nor requirements, so those are
 * empty. Without `--include-full-xr`, which would mix the status that the XR had before into what was written. Throws
 * with what the command said when it failed.
 */
export async function renderCaseWithCli(
  toolbox: Toolbox,
  renderCase: RenderCase,
  servers: FunctionServers,
): Promise<RenderOutput> {
  const { paths } = renderCase;
  const folder = mkdtempSync(join(tmpdir(), 'modelberth-render-'));
  try {
    const functionsFile = join(folder, 'functions.yaml');
    writeFileSync(functionsFile, functionDocuments(readObjects(paths.composition), servers));
    const args = [
      ...['composition', 'render', paths.xr, paths.composition, functionsFile],
      ...[`--crossplane-binary=${toolbox.core}`, `--xrd=${paths.definition}`, '--include-function-results'],
      ...optional('--observed-resources', paths.observed),
      ...optional('--required-resources', paths.required),
      ...optional('--required-schemas', paths.schemas),
    ];
    const { code, stdout, stderr } = await runProgram(toolbox.cli, args, '');
    if (code !== 0) throw new Error(`Cannot render ${renderCase.name} with the Crossplane CLI: ${stderr}`);
    return toRenderOutput(parseAllDocuments(stdout.toString()).map((document) => document.toJS()));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function optional(flag: string, path: string | undefined): string[] {
  return path === undefined ? [] : [`${flag}=${path}`];
}

/** The Function objects that tell the CLI where the running functions listen. */
function functionDocuments(compositions: readonly KubernetesObject[], servers: FunctionServers): string {
  const addresses = compositions.flatMap((composition) => Object.entries(functionAddresses(composition, servers)));
  const documents = addresses.map(([name, address]) => ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: {
      name,
      annotations: {
        'render.crossplane.io/runtime': 'Development',
        'render.crossplane.io/runtime-development-target': address,
      },
    },
    spec: { package: `example.org/modelberth/${name}:v0.0.0` },
  }));
  return documents.map((document) => stringify(document)).join('---\n');
}

/** The printed documents: the XR first, then composed resources, then results. */
function toRenderOutput(printed: readonly unknown[]): RenderOutput {
  const [composite, ...composed] = printed.filter(isKubernetesObject);
  if (composite === undefined) throw new Error('Cannot read the output of the Crossplane CLI: it printed no object');
  const events = printed.filter(isResult).map(toEvent);
  return { composite, composed, deleted: [], events, requiredResources: [], requiredSchemas: [] };
}

/** A result has no metadata, so it is no object. */
function isResult(document: unknown): boolean {
  return readString(document, ['apiVersion'])?.startsWith('render.crossplane.io/') === true;
}

function toEvent(result: unknown): RenderEvent {
  const field = (name: string) => readString(result, [name]) ?? '';
  return { type: field('severity'), reason: field('reason'), message: field('message') };
}
