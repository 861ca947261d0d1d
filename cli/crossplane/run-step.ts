/**
 * One pipeline step as core runs it: the function is called until the requirements of two calls in a row are equal, at
 * most six times, with what it required fetched between the calls (crossplane v2.4.0 internal/xfn/required_resources.go,
 * read 2026-12-01).
 */
import {
  type Requirements,
  type Resources,
  type RunFunctionRequest,
  type RunFunctionResponse,
  type Schema,
  Severity,
} from '@crossplane-org/function-sdk-typescript';
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { ResourceSelector, SchemaSelector } from '../../functions/compose.ts';

/** Where a step's requirements are looked up. */
export interface Fetch {
  resources(selector: ResourceSelector): readonly KubernetesObject[];
  /** The OpenAPI schema of a kind; undefined when the API server does not know it. */
  schema(selector: SchemaSelector): Record<string, unknown> | undefined;
}

const mostIterations = 5;

/** Runs a step to its settled response. */
export async function runStep(
  request: RunFunctionRequest,
  call: (request: RunFunctionRequest) => Promise<RunFunctionResponse>,
  fetch: Fetch,
): Promise<RunFunctionResponse> {
  let current = request;
  let requirements: Requirements | undefined;
  for (let iteration = 0; iteration <= mostIterations; iteration += 1) {
    const response = await call(current);
    const isFatal = response.results.some((result) => result.severity === Severity.SEVERITY_FATAL);
    if (isFatal || canonicalJson(response.requirements) === canonicalJson(requirements)) return response;
    requirements = response.requirements;
    current = { ...current, ...resolve(requirements, fetch), context: response.context };
  }
  throw new Error(`requirements didn't stabilize after the maximum number of iterations (${mostIterations})`);
}

function resolve(requirements: Requirements | undefined, fetch: Fetch) {
  const requiredResources: Record<string, Resources> = {};
  const requiredSchemas: Record<string, Schema> = {};
  for (const [name, selector] of Object.entries(requirements?.resources ?? {})) {
    const found = fetch.resources(readSelector(selector));
    requiredResources[name] = {
      items: found.map((resource) => ({ resource: { ...resource }, connectionDetails: {}, ready: 0 })),
    };
  }
  for (const [name, selector] of Object.entries(requirements?.schemas ?? {})) {
    requiredSchemas[name] = { openapiV3: fetch.schema(selector) };
  }
  return { requiredResources, requiredSchemas };
}

/** A selector of the protocol in our words, without what is unset. */
export function readSelector(selector: NonNullable<Requirements['resources'][string]>): ResourceSelector {
  const { apiVersion, kind, matchName, matchLabels, namespace } = selector;
  return {
    apiVersion,
    kind,
    ...(matchName === undefined ? {} : { matchName }),
    ...(matchLabels === undefined ? {} : { matchLabels: matchLabels.labels }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}
