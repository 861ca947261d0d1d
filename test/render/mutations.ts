/**
 * Ways to take from a golden case what its decision was made from. Most hide evidence: it cannot be read, was not
 * fetched, or a step cannot decide. Some are evidence themselves: what core looked for and did not find is not there.
 */
import type { RunFunctionRequest } from '@crossplane-org/function-sdk-typescript';
import type { CallFunction } from '../../cli/crossplane/function-client.ts';
import { group } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';
import { type FunctionName, pipelines } from '../../functions/steps.ts';
import type { RenderCase } from './read-cases.ts';

/**
 * What a mutated case proves about objects that may go: nothing; what the case itself proves; that nobody routes to the
 * replicas of a deployment, so that those that drain may go; or that a node is gone, so that its pool may be parked.
 */
export type Proof = 'Nothing' | 'AsBefore' | 'Unrouted' | 'NodeGone';

export interface Mutation {
  /** A clause: `the spec of InferenceClass "l4" is text`. */
  readonly name: string;
  readonly proves: Proof;
  /** The replica that is proven gone: a route lets go of it, and of nothing else. */
  readonly goneReplica?: string;
  readonly question: RenderCase;
  readonly wrap: (call: CallFunction) => CallFunction;
}

/** Every mutation of a case. */
export function mutationsOf(question: RenderCase): readonly Mutation[] {
  return [
    ...question.required.flatMap((object, index) => mutateRequired(question, object, index)),
    mutateCase('no required object exists', 'Nothing', { ...question, required: [] }),
    ...question.observed.flatMap((object, index) => mutateObserved(question, object, index)),
    ...mutateXr(question),
    ...mutateCalls(question),
  ];
}

function mutateCase(name: string, proves: Proof, question: RenderCase): Mutation {
  return { name, proves, question, wrap: (call) => call };
}

/** What is proven where an object that a step reads is absent, or has an unreadable spec or status. */
interface Proofs {
  readonly absent: Proof;
  readonly spec: Proof;
  readonly status: Proof;
}
const platform: Proofs = { absent: 'Nothing', spec: 'Nothing', status: 'AsBefore' };
const proofs: Readonly<Record<string, Proofs>> = {
  InferenceClass: platform,
  InferenceCluster: platform,
  InferenceGateway: platform,
  ModelService: { absent: 'Unrouted', spec: 'Nothing', status: 'Nothing' },
  Node: { absent: 'NodeGone', spec: 'AsBefore', status: 'AsBefore' },
};
const asBefore: Proofs = { absent: 'AsBefore', spec: 'AsBefore', status: 'AsBefore' };

function mutateRequired(question: RenderCase, object: KubernetesObject, index: number): readonly Mutation[] {
  const { absent, spec, status } = proofs[object.kind] ?? asBefore;
  const withChanged = (changed: readonly KubernetesObject[]): RenderCase => {
    return { ...question, required: question.required.toSpliced(index, 1, ...changed) };
  };
  const name = nameOf(object);
  return [
    { ...mutateCase(`${name} does not exist`, absent, withChanged([])), ...goneReplica(object) },
    mutateCase(`the spec of ${name} is text`, spec, withChanged([{ ...object, spec: 'unreadable' }])),
    mutateCase(`the status of ${name} is text`, status, withChanged([{ ...object, status: 'unreadable' }])),
    ...tightenGuardrails(object).map((changed) =>
      mutateCase(`a guardrail of ${name} is tightened`, 'AsBefore', withChanged([changed])),
    ),
  ];
}

function goneReplica({ kind, metadata }: KubernetesObject): Pick<Mutation, 'goneReplica'> {
  return kind === 'ModelReplica' && metadata.name !== undefined ? { goneReplica: metadata.name } : {};
}

/** A rule that became stricter refuses what is asked next; it takes away nothing that was granted before. */
function tightenGuardrails(object: KubernetesObject): readonly KubernetesObject[] {
  if (object.kind === 'InferenceGateway') return withoutAllowedHosts(object);
  if (!isRecord(object.spec)) return [];
  const images = { imagePrefixes: ['nowhere.example/'] };
  const byKind: Readonly<Record<string, readonly object[]>> = {
    InferenceClass: [images],
    InferenceCluster: [images, { perNamespace: { usdPerHour: 0.01 } }],
  };
  const { spec } = object;
  return (byKind[object.kind] ?? []).map((guardrails) => ({ ...object, spec: { ...spec, guardrails } }));
}

/** A gateway passes on which external endpoints its cluster allows: now none. */
function withoutAllowedHosts(object: KubernetesObject): readonly KubernetesObject[] {
  return isRecord(object.status) ? [{ ...object, status: { ...object.status, externalEndpoints: [] } }] : [];
}

function mutateObserved(question: RenderCase, object: KubernetesObject, index: number): readonly Mutation[] {
  const withChanged = (changed: KubernetesObject): RenderCase => {
    return { ...question, observed: question.observed.toSpliced(index, 1, changed) };
  };
  const { annotations = {} } = object.metadata;
  const foreign = Object.entries(annotations).filter(([name]) => !name.startsWith(`${group}/`));
  const forgotten = { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(foreign) } };
  const name = `observed ${nameOf(object)}`;
  return [
    mutateCase(`the status of ${name} is text`, 'AsBefore', withChanged({ ...object, status: 'unreadable' })),
    mutateCase(`${name} has lost its memory`, 'AsBefore', withChanged(forgotten)),
  ];
}

function mutateXr(question: RenderCase): readonly Mutation[] {
  const withXr = (changed: KubernetesObject): RenderCase => ({ ...question, xr: changed });
  const { status: _status, ...withoutStatus } = question.xr;
  return [
    mutateCase('the XR has lost its status', 'AsBefore', withXr(withoutStatus as KubernetesObject)),
    mutateCase('the status of the XR is text', 'AsBefore', withXr({ ...question.xr, status: 'unreadable' })),
    mutateCase('the spec of the XR is text', 'Nothing', withXr({ ...question.xr, spec: 'unreadable' })),
  ];
}

type Change = (request: RunFunctionRequest, name: FunctionName) => RunFunctionRequest;

function mutateCalls(question: RenderCase): readonly Mutation[] {
  const steps = pipelines[question.xr.kind] ?? [];
  const badInputs = steps.map((step): readonly [string, Change] => [
    `the Input of ${step} is wrong`,
    (request, name) => (name === step ? { ...request, input: badInput } : request),
  ]);
  const changes: readonly (readonly [string, Change])[] = [
    ...(question.required.length > 0 ? [['nothing is ever fetched', withoutRequired] as const] : []),
    ...badInputs,
    ...(steps.length > 1 ? contextChanges : []),
  ];
  return changes.map(([name, change]) => ({
    name,
    proves: 'Nothing',
    question,
    wrap: (call) => (step, request) => call(step, change(request, step)),
  }));
}

const badInput = { apiVersion: `fn.${group}/v1alpha1`, kind: 'Input', ttlSeconds: 'soon' };

const contextChanges: readonly (readonly [string, Change])[] = [
  ['the context is of another version', (request) => withEntries(request, asVersion99)],
  ['the context is foreign', (request) => withEntries(request, () => 'foreign')],
  ['the context is lost', (request) => ({ ...request, context: undefined })],
];

function withoutRequired(request: RunFunctionRequest): RunFunctionRequest {
  return { ...request, requiredResources: {}, requiredSchemas: {} };
}

function withEntries(request: RunFunctionRequest, change: (entry: unknown) => unknown): RunFunctionRequest {
  if (request.context === undefined) return request;
  const entries = Object.entries(request.context).map(([key, entry]) => [key, change(entry)]);
  return { ...request, context: Object.fromEntries(entries) };
}

function asVersion99(entry: unknown): unknown {
  return isRecord(entry) ? { ...entry, version: 99 } : entry;
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} "${metadata.name}"`;
}
