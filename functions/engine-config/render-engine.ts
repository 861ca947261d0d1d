import type { ModelReplicaSpec } from '../../apis/modelreplicas/schema.ts';
import { explainArguments, listArguments } from '../../domain/engine/list-arguments.ts';
import type { ExplainedFlag } from '../../domain/fit/advice/explain-flags.ts';
import { label } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { boundedName } from '../../domain/kubernetes/resource-name.ts';
import { replicaLabel } from '../../domain/placement/node-group.ts';
import { renderClaimTemplate } from '../../domain/workload/claim-template.ts';
import type { SurroundingsQuestion } from '../../domain/workload/surroundings.ts';
import { plannedWorkload, renderWorkload } from '../../domain/workload/workload.ts';
import type { WorkloadQuestion } from '../../domain/workload/workload-question.ts';
import type { PlacedShape, RenderedEngine } from '../hand-offs.ts';
import { type RevisionPlace, templateRevision } from '../template-revision.ts';

/** Name, labels and selector of everything that surrounds the engine of a replica. */
export function surroundingsOf(xr: KubernetesObject, spec: ModelReplicaSpec): Omit<SurroundingsQuestion, 'namespaces'> {
  const replica = xr.metadata.name ?? '';
  const selector = { [label.replica]: replicaLabel({ namespace: xr.metadata.namespace ?? '', name: replica }) };
  const labels = { [label.managedBy]: 'modelberth', [label.deployment]: boundedName(spec.deploymentName), ...selector };
  return { replica, labels, selector, isDetached: spec.traffic === 'Detach' };
}

/** The workload and its claim template as this version renders them, and the revision that they belong to. */
export function renderEngine(
  xr: KubernetesObject,
  spec: ModelReplicaSpec,
  placed: PlacedShape,
): { rendered: RenderedEngine; args: readonly string[]; flags: readonly ExplainedFlag[] } {
  const { replica, labels, selector } = surroundingsOf(xr, spec);
  const namespace = xr.metadata.namespace ?? '';
  const { model, load, engine, drain, pod } = spec.template;
  const { sizing, shape } = placed;
  const servedName = `${namespace}/${spec.deploymentName}`;
  const { type, args: authorArgs } = engine;
  const { acceleratorName } = placed;
  const asked = { type, model, load, sizing, shape, acceleratorName, servedName, authorArgs };
  const args = listArguments(asked);
  const question: WorkloadQuestion = {
    replica,
    namespace,
    labels: { ...labels, [label.class]: boundedName(placed.className) },
    selector,
    revision: templateRevision(xr, placeOf(placed)),
    rung: placed.rung,
    model,
    engine,
    args,
    shape,
    vendor: placed.vendor,
    productName: placed.productName,
    allocation: placed.allocation,
    nodeGroups: placed.nodeGroups,
    pool: placed.pool,
    smallestNode: placed.smallestNode,
    weightBytes: placed.weightBytes,
    drain,
    pod,
  };
  const claim =
    placed.allocation === 'DRA' ? { [`claim-${question.revision}`]: { ...renderClaimTemplate(question) } } : {};
  const [key, workload] = renderWorkload(question);
  const objects = { ...claim, [key]: { ...workload } };
  const { strategy } = plannedWorkload(shape.nodes);
  return { rendered: { revision: question.revision, objects, strategy }, args, flags: explainArguments(asked) };
}

function placeOf({ rung, pool }: PlacedShape): RevisionPlace {
  return pool === undefined ? { rung } : { rung, poolNodes: pool.nodes };
}
