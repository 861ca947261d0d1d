/**
 * One pass over a scene, inside this process: the same steps, bytes and requirement loop as over gRPC, so that the last
 * request of a step is the one that it is sent in a settled reconcile, with the hand-offs of the steps before it.
 */
import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import { applyDefaults } from '../cli/crossplane/apply-defaults.ts';
import { readInstalledKinds } from '../cli/crossplane/package-files.ts';
import { keyOf, reconcileComposite } from '../cli/crossplane/reconcile-composite.ts';
import type { RenderOutput } from '../cli/crossplane/render-output.ts';
import { findObjects, toWorld } from '../cli/crossplane/world.ts';
import { isRecord, type KubernetesObject, readList, readString } from '../domain/kubernetes/object.ts';
import { functions } from '../functions/functions.ts';
import { type RunOptions, runFunction } from '../functions/run-function.ts';
import type { FunctionName } from '../functions/steps.ts';
import { type Scene, sceneTime } from './bench-scene.ts';

/** The last request that a step was sent in a pass, and its answer. */
export interface Exchange {
  readonly request: RunFunctionRequest;
  readonly response: RunFunctionResponse;
}

export interface Pass {
  readonly output: RenderOutput;
  readonly exchanges: ReadonlyMap<FunctionName, Exchange>;
}

const options: RunOptions = {
  now: () => new Date(sceneTime),
  randomKey: () => 'a-random-key-is-made-when-this-is-applied',
  ttlSeconds: 60,
  onError: (error) => {
    throw error;
  },
};

const kinds = readInstalledKinds();

/** Reconciles the XR of a scene once, up to a step. Throws what a step throws: nothing here is frozen. */
export async function runPass({ xr, observed, required }: Scene, last: FunctionName): Promise<Pass> {
  const installed = kinds.get(xr.kind);
  if (installed === undefined) throw new Error(`Cannot run a pass over ${xr.kind}: no Composition is for it`);
  const world = toWorld([...observed, ...required]);
  const exchanges = new Map<FunctionName, Exchange>();
  const output = await reconcileComposite({
    xr: applyDefaults(installed.schema, xr) as KubernetesObject,
    composition: upTo(installed.composition, last),
    observed,
    call: async (name, request) => {
      const response = answer(name, request);
      exchanges.set(name, { request, response });
      return response;
    },
    fetch: { resources: (selector) => findObjects(world, selector), schema: () => undefined },
  });
  return { output, exchanges };
}

/**
 * A golden case as this version renders it: a pass over `observed`, and what it composed is observed then, with the
 * status that the case has under the same key. So a case is a settled one whatever has changed in the rendering.
 */
export async function renderAnew(golden: Scene, observed: Scene['observed']): Promise<Scene> {
  const { composite, composed } = (await runPass({ ...golden, observed }, 'rollout-strategy')).output;
  const before = new Map(golden.observed.map((object) => [keyOf(object), object.status]));
  const rendered = composed.map((object) => {
    const status = before.get(keyOf(object));
    return status === undefined ? object : { ...object, status };
  });
  return { xr: composite, observed: rendered, required: golden.required };
}

/** A Composition without the steps that come after one. */
function upTo(composition: KubernetesObject, last: FunctionName): KubernetesObject {
  const pipeline = readList(composition, ['spec', 'pipeline']);
  const end = pipeline.findIndex((step) => readString(step, ['functionRef', 'name']) === `modelberth-${last}`);
  const spec = isRecord(composition.spec) ? composition.spec : {};
  return { ...composition, spec: { ...spec, pipeline: pipeline.slice(0, end + 1) } };
}

/** What a step answers to one call. */
export function answer(name: FunctionName, request: RunFunctionRequest): RunFunctionResponse {
  const bytes = RunFunctionRequest.encode(request).finish();
  return RunFunctionResponse.decode(runFunction(name, functions[name], bytes, options).bytes);
}
