import {
  Capability,
  type Condition as ProtocolCondition,
  type Result,
  RunFunctionRequest,
  type RunFunctionResponse,
  Severity,
  type State,
  Status,
} from '@crossplane-org/function-sdk-typescript';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { isRecord, readList, readString } from '../../domain/kubernetes/object.ts';
import type { ResourceSelector, SchemaSelector } from '../../functions/compose.ts';
import { type FunctionName, functionNames } from '../../functions/steps.ts';
import type { CallFunction } from './function-client.ts';
import type { RenderEvent } from './render-output.ts';
import { type Fetch, readSelector, runStep } from './run-step.ts';

export interface PipelineQuestion {
  readonly xr: KubernetesObject;
  readonly composition: KubernetesObject;
  /** Observed composed resources by key. */
  readonly observed: ReadonlyMap<string, KubernetesObject>;
  readonly call: CallFunction;
  readonly fetch: Fetch;
}

/** What all steps of a pipeline came to. */
export interface PipelineResult {
  readonly desired: State;
  readonly conditions: readonly Readonly<Record<string, unknown>>[];
  readonly events: readonly RenderEvent[];
  readonly requiredResources: readonly ResourceSelector[];
  readonly requiredSchemas: readonly SchemaSelector[];
}

/** Thrown when a step returns a fatal result: core then applies nothing. */
export class PipelineFatal extends Error {}

/** Every capability that core 2.4.0 advertises. */
const capabilities = [
  Capability.CAPABILITY_CAPABILITIES,
  Capability.CAPABILITY_REQUIRED_RESOURCES,
  Capability.CAPABILITY_CREDENTIALS,
  Capability.CAPABILITY_CONDITIONS,
  Capability.CAPABILITY_REQUIRED_SCHEMAS,
];

/** Runs the steps of a Composition in order, each with what the earlier ones desired and said in the context. */
export async function runPipeline(question: PipelineQuestion): Promise<PipelineResult> {
  const responses: RunFunctionResponse[] = [];
  for (const step of readSteps(question.composition)) {
    const request = toRequest(question, step.input, responses.at(-1));
    const response = await runStep(request, (next) => question.call(step.functionName, next), question.fetch);
    const fatal = response.results.find((result) => result.severity === Severity.SEVERITY_FATAL);
    if (fatal !== undefined)
      throw new PipelineFatal(`pipeline step "${step.name}" returned a fatal result: ${fatal.message}`);
    responses.push(response);
  }
  const names = readSteps(question.composition).map((step) => step.name);
  return {
    desired: responses.at(-1)?.desired ?? { composite: undefined, resources: {} },
    conditions: responses.flatMap((response) => response.conditions.map(toCondition)),
    events: responses.flatMap((response, index) =>
      response.results.map((result) => toEvent(result, names[index] ?? '')),
    ),
    requiredResources: responses.flatMap((response) =>
      Object.values(response.requirements?.resources ?? {}).map(readSelector),
    ),
    requiredSchemas: responses.flatMap((response) => Object.values(response.requirements?.schemas ?? {})),
  };
}

interface PipelineStep {
  readonly name: string;
  readonly functionName: FunctionName;
  readonly input: Record<string, unknown> | undefined;
}

function readSteps(composition: KubernetesObject): readonly PipelineStep[] {
  return readList(composition, ['spec', 'pipeline']).map((step) => {
    const reference = readString(step, ['functionRef', 'name']) ?? '';
    const functionName = functionNames.find((name) => reference === `modelberth-${name}`);
    if (functionName === undefined) {
      throw new Error(`Cannot run Composition "${composition.metadata.name}": function "${reference}" is none of ours`);
    }
    const input = isRecord(step) && isRecord(step.input) ? step.input : undefined;
    return { name: readString(step, ['step']) ?? functionName, functionName, input };
  });
}

function toRequest(
  { xr, observed }: PipelineQuestion,
  input: Record<string, unknown> | undefined,
  earlier: RunFunctionResponse | undefined,
): RunFunctionRequest {
  const resources = Object.fromEntries(
    [...observed].map(([key, object]) => [key, { resource: { ...object }, connectionDetails: {}, ready: 0 }]),
  );
  return {
    ...RunFunctionRequest.decode(new Uint8Array()),
    meta: { tag: '', capabilities },
    observed: { composite: { resource: { ...xr }, connectionDetails: {}, ready: 0 }, resources },
    desired: earlier?.desired,
    input,
    context: earlier?.context,
  };
}

function toCondition(condition: ProtocolCondition): Record<string, unknown> {
  const statuses: Readonly<Record<number, string>> = {
    [Status.STATUS_CONDITION_TRUE]: 'True',
    [Status.STATUS_CONDITION_FALSE]: 'False',
  };
  const { type, reason, message } = condition;
  return {
    type,
    status: statuses[condition.status] ?? 'Unknown',
    reason,
    ...(message === undefined ? {} : { message }),
  };
}

function toEvent(result: Result, step: string): RenderEvent {
  const type = result.severity === Severity.SEVERITY_NORMAL ? 'Normal' : 'Warning';
  const reason = result.reason === undefined || result.reason === '' ? 'ComposeResources' : result.reason;
  return { type, reason, message: `Pipeline step "${step}": ${result.message}` };
}
