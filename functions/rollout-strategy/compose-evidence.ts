/** The check of a revision: its Job, and the Service and policy by which it reaches an engine that callers do not. */
import { ModelReplicaSpec } from '../../apis/modelreplicas/schema.ts';
import { enginePort } from '../../domain/engine/engine-port.ts';
import { engineProtocols } from '../../domain/engine/engine-protocols.ts';
import { chooseCases } from '../../domain/evidence/choose-cases.ts';
import { defaultDeadlineMinutes } from '../../domain/evidence/conformance.ts';
import {
  type CheckQuestion,
  renderCheckPolicy,
  renderCheckService,
  renderJob,
} from '../../domain/evidence/evidence-job.ts';
import { defaultLeastPassShare, defaultTries } from '../../domain/evidence/odds.ts';
import { type Evidence, readJob } from '../../domain/evidence/read-job.ts';
import { label } from '../../domain/kubernetes/label.ts';
import { type KubernetesObject, readPath } from '../../domain/kubernetes/object.ts';
import { restoreRendered } from '../../domain/kubernetes/owned-fields.ts';
import { boundedName } from '../../domain/kubernetes/resource-name.ts';
import { replicaLabel } from '../../domain/placement/node-group.ts';
import { readRevisionMemory } from '../../domain/rollout/revision-memory.ts';
import type { Composed, ComposeRequest } from '../compose.ts';
import { lastAsked } from '../deliver.ts';
import { observedWith } from '../observed-with.ts';

const jobPrefix = 'check-job-';
/** Tries at once: what one replica runs at once anyway, and no more than shows faults of batches. */
const mostParallel = 4;

/** Whether the revisions of a replica are tried: the image is known, and the author does not refuse. */
export function isTried({ input, xr }: ComposeRequest): boolean {
  return input.evidenceImage !== undefined && readPath(xr, ['spec', 'conformance', 'enabled']) !== false;
}

/** What the check of a revision says; undefined where revisions are not tried. */
export function readEvidence(request: ComposeRequest, revision: string): Evidence | undefined {
  return isTried(request) ? readJob(request.observed.get(`${jobPrefix}${revision}`)) : undefined;
}

export interface EvidenceQuestion {
  /** The revision that the claim asks for. */
  readonly wanted: string;
  readonly workload: KubernetesObject | undefined;
  readonly isReady: boolean;
}

export interface ComposedEvidence {
  readonly composed: ReadonlyMap<string, Composed>;
  readonly dropped: ReadonlyMap<string, string>;
}

/** What is composed for the check. The Job of a revision stays as it was made: its pods cannot be changed. */
export function composeEvidence(request: ComposeRequest, question: EvidenceQuestion): ComposedEvidence {
  const spec = isTried(request) ? ModelReplicaSpec.safeParse(request.xr.spec) : undefined;
  const checks = [...observedWith(request.observed, 'check-').keys()];
  if (spec === undefined)
    return { composed: new Map(), dropped: new Map(checks.map((key) => [key, 'nothing is tried'])) };
  if (!spec.success) return { composed: new Map(), dropped: new Map() };
  const { wanted } = question;
  const key = `${jobPrefix}${wanted}`;
  const check = describeCheck(request, spec.data, wanted);
  const composed = new Map<string, Composed>([
    ['check-policy', surround(request, 'check-policy', renderCheckPolicy(check))],
    ['check-service', surround(request, 'check-service', renderCheckService(check))],
  ]);
  const earlier = lastAsked(request.stored, key);
  if (earlier !== undefined) composed.set(key, keepJob(earlier, readJob(request.observed.get(key))));
  else if (isDue(request, question))
    composed.set(key, { object: renderJob(check), ready: false, state: 'Created', why: `tries revision ${wanted}` });
  const old = checks.filter((other) => other.startsWith(jobPrefix) && other !== key);
  return { composed, dropped: new Map(old.map((other) => [other, 'its revision is not asked for any more'])) };
}

/** The revision answers, and its memory says that it waits to be tried. */
function isDue({ observed }: ComposeRequest, { wanted, workload, isReady }: EvidenceQuestion): boolean {
  const revision = observed.get(`revision-${wanted}`);
  if (revision === undefined || !isReady || workload?.metadata.labels?.[label.revision] !== wanted) return false;
  return readRevisionMemory(revision).conformance === 'Waiting';
}

function surround({ observed }: ComposeRequest, key: string, object: KubernetesObject): Composed {
  const ready = observed.has(key);
  const why = 'lets the check reach an engine that gets no requests yet';
  return { object, ready, state: ready ? 'Ready' : 'Created', why };
}

const jobStates = {
  Running: 'tries the revision',
  Passed: 'the revision passed',
  Failed: 'the revision failed',
  NotRun: 'ended without a word on the revision',
} as const;

function keepJob(earlier: KubernetesObject, { state }: Evidence): Composed {
  const ready = state !== 'Running';
  return { object: restoreRendered(earlier), ready, state: ready ? 'Ready' : 'Waiting', why: jobStates[state] };
}

function describeCheck({ xr, input }: ComposeRequest, spec: ModelReplicaSpec, revision: string): CheckQuestion {
  const { name = '', namespace = '' } = xr.metadata;
  const selector = { [label.replica]: replicaLabel({ namespace, name }) };
  const { engine, load } = spec.template;
  const { conformance = {} } = spec;
  return {
    replica: name,
    labels: { [label.managedBy]: 'modelberth', [label.deployment]: boundedName(spec.deploymentName), ...selector },
    selector,
    revision,
    image: input.evidenceImage ?? '',
    pullSecrets: engine.imagePullSecrets ?? [],
    servedName: `${namespace}/${spec.deploymentName}`,
    port: enginePort,
    protocols: engineProtocols[engine.type],
    cases: conformance.cases ?? chooseCases(engine.args),
    tries: conformance.tries ?? defaultTries,
    leastPassShare: conformance.leastPassShare ?? defaultLeastPassShare,
    contextTokens: load.contextTokens,
    outputTokens: load.maxOutputTokens ?? Math.floor(load.contextTokens / 4),
    parallel: Math.min(mostParallel, load.concurrentRequests ?? mostParallel),
    deadlineMinutes: conformance.deadlineMinutes ?? defaultDeadlineMinutes,
  };
}
