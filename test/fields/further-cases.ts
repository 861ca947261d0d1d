/** Cases beside the golden ones, for fields that act only beside another that those do not state. */
import { type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import type { RenderCase } from '../render/read-cases.ts';
import { changeField } from './change-field.ts';

/** Made from golden cases. */
export function furtherCases(cases: readonly RenderCase[]): readonly RenderCase[] {
  return [
    withRemoteCode(caseNamed(cases, 'deployment/1-nothing-yet')),
    withSpot(caseNamed(cases, 'deployment/1-nothing-yet')),
    withTwoRoutes(caseNamed(cases, 'service/3-routable')),
    withExternalFirst(caseNamed(cases, 'service-fleet/3-both-serve')),
    withSecretFirst(caseNamed(cases, 'replica-offline/1-node-joined')),
    withEmptyDirFirst(caseNamed(cases, 'replica-pod/1-node-joined')),
  ];
}

function caseNamed(cases: readonly RenderCase[], name: string): RenderCase {
  const found = cases.find((question) => question.name === name);
  if (found === undefined) throw new Error(`test/render/cases has no "${name}"`);
  return found;
}

function withField(object: KubernetesObject, path: string, value: unknown): KubernetesObject {
  return changeField(object, { path: path.split('.'), value, example: {} }) as KubernetesObject;
}

function withRemoteCode(question: RenderCase): RenderCase {
  return { ...question, xr: withField(question.xr, 'spec.engine.args', ['--trust-remote-code']) };
}

/** A claim that may be held on the spot market, with a price of every type there. */
function withSpot(question: RenderCase): RenderCase {
  const required = question.required.map((object) => {
    if (object.kind !== 'InferenceClass') return object;
    const sold = withField(object, 'spec.eks.markets', ['OnDemand', 'Spot']);
    const types = readList(sold, ['spec', 'eks', 'nodeTypes']).map((type) => ({
      ...(type as object),
      spotUsdPerHour: 0.4,
    }));
    return withField(sold, 'spec.eks.nodeTypes', types);
  });
  return { ...question, required, xr: withField(question.xr, 'spec.placement.markets', ['Spot', 'OnDemand']) };
}

/** Only the first entry of a list is changed, and the golden case has the external endpoint last. */
function withExternalFirst(question: RenderCase): RenderCase {
  return {
    ...question,
    xr: withField(question.xr, 'spec.routes', readList(question.xr, ['spec', 'routes']).toReversed()),
  };
}

/** Only the first entry of a list is changed, and the golden case has the key of a Secret last. */
function withSecretFirst(question: RenderCase): RenderCase {
  const path = ['spec', 'template', 'engine', 'env'];
  return { ...question, xr: withField(question.xr, path.join('.'), readList(question.xr, path).toReversed()) };
}

/** Only the first entry of a list is changed, and the golden case has the volume with a size last. */
function withEmptyDirFirst(question: RenderCase): RenderCase {
  const path = ['spec', 'template', 'pod', 'volumes'];
  return { ...question, xr: withField(question.xr, path.join('.'), readList(question.xr, path).toReversed()) };
}

/** A second deployment behind the same service, with a replica like the first. */
function withTwoRoutes(question: RenderCase): RenderCase {
  const routes = [...readList(question.xr, ['spec', 'routes']), { deploymentName: 'other' }];
  const others = question.required.flatMap((object) => {
    if (object.kind !== 'ModelReplica' && object.kind !== 'EndpointSlice') return [];
    const text = JSON.stringify(object).replaceAll('llama-0', 'other-0').replaceAll('"llama"', '"other"');
    return [JSON.parse(text) as KubernetesObject];
  });
  return {
    ...question,
    xr: withField(question.xr, 'spec.routes', routes),
    required: [...question.required, ...others],
  };
}
