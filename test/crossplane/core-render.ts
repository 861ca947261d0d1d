import { applyDefaults } from '../../cli/crossplane/apply-defaults.ts';
import type { RenderOutput } from '../../cli/crossplane/render-output.ts';
import { isRecord, type KubernetesObject, readList, readPath } from '../../domain/kubernetes/object.ts';
import type { ResourceSelector, SchemaSelector } from '../../functions/compose.ts';
import { type RenderCase, readObjects } from '../render/read-cases.ts';
import { type FunctionServers, functionAddresses } from './function-servers.ts';
import { type CoreAnswer, renderWithCore } from './render-with-core.ts';

/** One golden case through the core binary. Throws when core cannot reconcile it. */
export async function renderCaseWithCore(
  binary: string,
  renderCase: RenderCase,
  servers: FunctionServers,
): Promise<RenderOutput> {
  const { xr, observed, required, schemas, paths } = renderCase;
  const [composition] = readObjects(paths.composition);
  const [definition] = readObjects(paths.definition);
  if (composition === undefined || definition === undefined) {
    throw new Error(`Cannot render ${renderCase.name}: ${paths.composition} or ${paths.definition} is empty`);
  }
  const answer = await renderWithCore(binary, {
    xr: withDefaults(xr, definition),
    composition,
    definition,
    functions: functionAddresses(composition, servers),
    observed,
    required,
    schemas,
  });
  if (answer.fatal !== undefined)
    throw new Error(`Cannot render ${renderCase.name} with crossplane-core: ${answer.fatal}`);
  return toRenderOutput(answer);
}

/** The XR as the API server would have stored it; core's render applies no defaults. */
function withDefaults(xr: KubernetesObject, definition: KubernetesObject): KubernetesObject {
  const versions = readList(definition, ['spec', 'versions']).filter(isRecord);
  const version = versions.find(({ name }) => xr.apiVersion.endsWith(`/${String(name)}`));
  const schema = readPath(version, ['schema', 'openAPIV3Schema']);
  return isRecord(schema) ? (applyDefaults(schema, xr) as KubernetesObject) : xr;
}

/** Core's answer in the words of our own runner. */
function toRenderOutput(answer: CoreAnswer): RenderOutput {
  return {
    composite: answer.composite as unknown as KubernetesObject,
    composed: answer.composed as unknown as readonly KubernetesObject[],
    deleted: answer.deleted as unknown as readonly KubernetesObject[],
    events: answer.events,
    requiredResources: answer.requiredResources.map(toSelector),
    requiredSchemas: answer.requiredSchemas as unknown as readonly SchemaSelector[],
  };
}

/** Core nests the labels as the protocol does; a match by no label is one too, and matches all of the kind. */
function toSelector(struct: Readonly<Record<string, unknown>>): ResourceSelector {
  const { matchLabels, ...selector } = struct;
  const matched = matchLabels === undefined ? {} : { matchLabels: readPath(matchLabels, ['labels']) ?? {} };
  return { ...selector, ...matched } as unknown as ResourceSelector;
}
