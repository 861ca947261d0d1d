import { applyDefaults } from '../../cli/crossplane/apply-defaults.ts';
import type { CallFunction } from '../../cli/crossplane/function-client.ts';
import { reconcileComposite } from '../../cli/crossplane/reconcile-composite.ts';
import type { RenderOutput } from '../../cli/crossplane/render-output.ts';
import { findObjects, toWorld } from '../../cli/crossplane/world.ts';
import { isRecord, type KubernetesObject, readList, readPath } from '../../domain/kubernetes/object.ts';
import type { SchemaSelector } from '../../functions/compose.ts';
import { type CasePaths, type RenderCase, readObjects } from './read-cases.ts';

/** One golden case through our own runner, with the functions behind real gRPC. */
export async function renderCase(question: RenderCase, call: CallFunction): Promise<RenderOutput> {
  const { composition, schema } = readInstalled(question.paths);
  const world = toWorld([...question.observed, ...question.required]);
  return await reconcileComposite({
    xr: applyDefaults(schema, question.xr) as KubernetesObject,
    composition,
    observed: question.observed,
    call,
    fetch: {
      resources: (selector) => findObjects(world, selector),
      schema: (selector) =>
        question.schemas.map((document) => findSchema(document, selector)).find((found) => found !== undefined),
    },
  });
}

interface Installed {
  readonly composition: KubernetesObject;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What was read of each kind, so that thousands of renders parse its XRD once. */
const installed = new Map<string, Installed>();

function readInstalled({ composition: path, definition: definitionPath }: CasePaths): Installed {
  const known = installed.get(path);
  if (known !== undefined) return known;
  const [composition] = readObjects(path);
  const [definition] = readObjects(definitionPath);
  if (composition === undefined || definition === undefined) throw new Error(`${path} or ${definitionPath} is empty`);
  const [version] = readList(definition, ['spec', 'versions']);
  const schema = readPath(version, ['schema', 'openAPIV3Schema']);
  const read = { composition, schema: isRecord(schema) ? schema : {} };
  installed.set(path, read);
  return read;
}

/** The schema of a kind in an OpenAPI v3 document, by its `x-kubernetes-group-version-kind`. */
function findSchema(
  document: Readonly<Record<string, unknown>>,
  selector: SchemaSelector,
): Record<string, unknown> | undefined {
  const schemas = readPath(document, ['components', 'schemas']);
  const [group, version] = selector.apiVersion.includes('/')
    ? selector.apiVersion.split('/')
    : ['', selector.apiVersion];
  return Object.values(isRecord(schemas) ? schemas : {})
    .filter(isRecord)
    .find((schema) =>
      readList(schema, ['x-kubernetes-group-version-kind'])
        .filter(isRecord)
        .some((gvk) => gvk.group === group && gvk.version === version && gvk.kind === selector.kind),
    );
}
