import { type Figures, readFigures } from '../../domain/evidence/figures.ts';
import type { Condition } from '../../domain/kubernetes/condition.ts';
import { label } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readPath, readString } from '../../domain/kubernetes/object.ts';
import type { Access } from '../../domain/kubernetes/remote/access.ts';
import { replicaLabel } from '../../domain/placement/node-group.ts';
import { conformanceCondition } from '../../domain/rollout/conformance-condition.ts';
import { readRevisionMemory } from '../../domain/rollout/revision-memory.ts';
import type { ComposeRequest, Requirements } from '../compose.ts';
import { isTried } from './compose-evidence.ts';

const checkPods = 'check-pods';

/** The pods of the check, whose figures are read; those of another cluster are not. */
export function requireCheckPods(request: ComposeRequest, access: Access | undefined): Requirements['resources'] {
  if (!isTried(request) || access?.type !== 'Local') return {};
  const { namespace = '', name = '' } = request.xr.metadata;
  const matchLabels = { [label.check]: replicaLabel({ namespace, name }) };
  return { [checkPods]: { apiVersion: 'v1', kind: 'Pod', matchLabels, namespace } };
}

export interface DescribedConformance {
  readonly conditions: readonly Condition[];
  readonly status: Readonly<Record<string, unknown>>;
}

/** What is known of the revision that runs: the condition, and the figures where a pod has them. */
export function describeConformance(
  request: ComposeRequest,
  workload: KubernetesObject | undefined,
): DescribedConformance {
  const { xr, observed, input } = request;
  const live = workload?.metadata.labels?.[label.revision];
  const revision = observed.get(`revision-${live}`);
  const memory = revision === undefined ? {} : readRevisionMemory(revision);
  const figures = live === undefined ? {} : findFigures(request, live);
  const stated = readPath(xr, ['spec', 'conformance']);
  const condition = conformanceCondition({
    isTried: isTried(request),
    lacksImage: isRecord(stated) && stated.enabled !== false && input.evidenceImage === undefined,
    wasSaid: readList(xr, ['status', 'conditions']).some((one) => readString(one, ['type']) === 'ConformanceChecked'),
    live,
    memory,
    figures,
  });
  const verdict = memory.conformance ?? 'NotChecked';
  const status = isTried(request) && live !== undefined ? { conformance: { revision: live, verdict, ...figures } } : {};
  return { conditions: condition === undefined ? [] : [condition], status };
}

/** The figures of a pod of the check, or those that were shown last: a pod goes with its node. */
function findFigures(request: ComposeRequest, live: string): Figures {
  const required = request.required(checkPods);
  const pods = required.state === 'Present' ? required.objects : [];
  const found = readFigures(pods.filter(({ metadata }) => metadata.labels?.[label.revision] === live));
  if (Object.keys(found).length > 0) return found;
  const shown = readPath(request.xr, ['status', 'conformance']);
  if (!isRecord(shown) || shown.revision !== live) return {};
  const { revision: _revision, verdict: _verdict, ...figures } = shown;
  return figures;
}
