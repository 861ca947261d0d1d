import { ModelDeploymentSpec } from '../../apis/modeldeployments/schema.ts';
import { describeFit, fitsCondition } from '../../domain/fit/describe-fit.ts';
import type { Cluster, HardwareClass } from '../../domain/hardware/hardware-class.ts';
import type { Condition } from '../../domain/kubernetes/condition.ts';
import { apiVersion } from '../../domain/kubernetes/label.ts';
import { findFacts } from '../../domain/model/find-facts.ts';
import { type Candidate, describePlace } from '../../domain/placement/candidate.ts';
import { cheapestPrice, describeCandidates, priceOrigin } from '../../domain/placement/describe-candidates.ts';
import { explainRefusals } from '../../domain/placement/explain-refusals.ts';
import { type Candidates, listCandidates } from '../../domain/placement/list-candidates.ts';
import { replicaShare } from '../../domain/placement/replica-share.ts';
import { roundUsd } from '../../domain/units/usd.ts';
import { guardedParts } from '../../domain/workload/guarded-parts.ts';
import type { ComposeRequest, Decision, Freeze, Requirements } from '../compose.ts';
import { freezeBecause, readSpec, refuseOverlay } from '../freeze.ts';
import { assignmentEntry } from '../hand-offs.ts';
import { refuseDeployment } from '../refuse-deployment.ts';
import { type PlatformRead, readClasses, readCluster, requireClasses, waiting } from './read-hardware.ts';

/** Candidates that a status lists at most. */
const mostCandidates = 32;

/** Judges a claim: candidates, fit and price; and names the cluster for new replicas. */
export function composeDeployment(request: ComposeRequest): Decision | Freeze {
  const read = readSpec(request.xr, ModelDeploymentSpec);
  if (read.state === 'Invalid')
    return freezeBecause({ resources: {} }, { type: 'Placed', reason: 'InvalidSpec', message: read.why });
  const { spec } = read;
  const requirements = require(spec);
  const refusal = refuseDeployment(request.xr, spec) ?? refuseOverlay(request.xr, spec.pod);
  if (refusal !== undefined)
    return freezeBecause(requirements, { type: 'Placed', reason: 'InvalidSpec', message: refusal });
  const clusters = readClusters(request, spec.placement.clusterName);
  const classes = readClasses(request, spec.placement.classes);
  if (clusters.state === 'Held') return freezeBecause(requirements, { type: 'Placed', ...clusters });
  if (classes.state === 'Held') return freezeBecause(requirements, { type: 'Placed', ...classes });
  const chosen = chooseCluster({ spec, clusters: clusters.value, classes: classes.value, now: request.now });
  const share = replicaShare(spec);
  return {
    requirements,
    composed: new Map(),
    status: describe(spec, chosen),
    conditions: conditionsFor(spec, chosen),
    handOffs: [
      {
        entry: assignmentEntry,
        value: {
          ...(chosen.candidates.allowed.length === 0 ? {} : { clusterName: chosen.cluster.name }),
          ...(share === undefined ? {} : { shareUsdPerHour: share }),
        },
      },
    ],
  };
}

interface Chosen {
  readonly cluster: Cluster;
  readonly candidates: Candidates;
}

function require(spec: ModelDeploymentSpec): Requirements {
  const { clusterName, classes } = spec.placement;
  const match = clusterName === undefined ? {} : { matchName: clusterName };
  return { resources: { clusters: { apiVersion, kind: 'InferenceCluster', ...match }, ...requireClasses(classes) } };
}

function readClusters(request: ComposeRequest, clusterName: string | undefined): PlatformRead<readonly Cluster[]> {
  const required = request.required('clusters');
  if (required.state === 'Unresolved') return waiting();
  if (required.state === 'Absent') {
    const message =
      clusterName === undefined
        ? 'Cannot find any InferenceCluster: create one'
        : `Cannot find InferenceCluster "${clusterName}" of spec.placement.clusterName: create it or correct the name`;
    return { state: 'Held', reason: 'ClusterMissing', message };
  }
  const clusters: Cluster[] = [];
  for (const object of required.objects) {
    const read = readCluster(object);
    if (read.state === 'Held') return read;
    clusters.push(read.value);
  }
  return { state: 'Present', value: clusters.sort((left, right) => (left.name < right.name ? -1 : 1)) };
}

interface ClusterQuestion {
  readonly spec: ModelDeploymentSpec;
  readonly clusters: readonly Cluster[];
  readonly classes: readonly HardwareClass[];
  readonly now: Date;
}

/** The first cluster that can hold the model; the first of all where none can, for its reasons. */
function chooseCluster({ spec, clusters, classes, now }: ClusterQuestion): Chosen {
  const { facts } = findFacts(spec.model.name, spec.model.facts);
  const share = replicaShare(spec);
  const budget = share === undefined ? {} : { usdPerHour: share };
  const { load, engine } = spec;
  const { mostNodes, prefer, markets, zones } = spec.placement;
  const guarded = guardedParts(spec);
  const question = { facts, load, engine, ...guarded, classes, budget, mostNodes, prefer, markets, zones, now };
  let first: Chosen | undefined;
  for (const cluster of clusters) {
    const chosen = { cluster, candidates: listCandidates({ ...question, cluster }) };
    if (chosen.candidates.allowed.length > 0) return chosen;
    first ??= chosen;
  }
  if (first === undefined) throw new Error('chooseCluster wants at least one cluster');
  return first;
}

function preferred({ candidates }: Chosen): Candidate | undefined {
  return candidates.allowed[0];
}

function describe(spec: ModelDeploymentSpec, chosen: Chosen): Record<string, unknown> {
  const candidate = preferred(chosen);
  const candidates = describeCandidates(chosen.cluster.name, chosen.candidates, mostCandidates);
  if (candidate === undefined) return { candidates };
  const { hardwareClass, verdict } = candidate;
  const price = cheapestPrice(candidate);
  return {
    model: {
      shape: describePlace(candidate),
      class: hardwareClass.name,
      ...priceOrigin(candidate),
    },
    fit: describeFit(verdict),
    ...(price === undefined ? {} : { usdPerHour: roundUsd(price * spec.replicas) }),
    candidates,
  };
}

function conditionsFor(spec: ModelDeploymentSpec, chosen: Chosen): readonly Condition[] {
  const candidate = preferred(chosen);
  if (candidate === undefined)
    return [refusedFit(chosen), explainRefusals(spec.model.name, chosen.candidates.refusals)];
  const where = describePlace(candidate);
  return [fitsCondition(candidate.verdict, where)];
}

function refusedFit(chosen: Chosen): Condition {
  const aboutFit = chosen.candidates.refusals.filter(
    ({ reason }) => reason !== 'OverBudget' && reason !== 'GuardrailRefused',
  );
  const [refusal] = chosen.candidates.refusals;
  if (aboutFit.length === 0 && refusal !== undefined) {
    const refuser = refusal.reason === 'OverBudget' ? 'the budget' : 'a guardrail';
    return { type: 'Fits', status: 'True', reason: 'Comfortable', message: `It fits; ${refuser} refuses it` };
  }
  const message = aboutFit[0]?.message ?? 'No class is allowed; add one to spec.placement.classes';
  const unsupported = aboutFit.some((refusal) => refusal.reason === 'Unsupported');
  return unsupported
    ? { type: 'Fits', status: 'Unknown', reason: 'Unsupported', message }
    : { type: 'Fits', status: 'False', reason: 'Misfit', message };
}
