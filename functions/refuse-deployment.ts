import type { ModelDeploymentSpec } from '../apis/modeldeployments/schema.ts';
import { refuseArguments } from '../domain/fit/engines/known-flags.ts';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';

/**
 * Why a claim for a model cannot be used although it can be read: an argument that its engine does not take would end it
 * at its start, so nothing is asked for and nothing edited. A replica that runs is not judged: what it has, it started with.
 */
export function refuseDeployment({ kind, metadata }: KubernetesObject, spec: ModelDeploymentSpec): string | undefined {
  const refusals = refuseArguments(spec.engine, spec.engine.args);
  if (refusals.length === 0) return undefined;
  return `Cannot use ${kind} "${metadata.name ?? ''}": spec.engine.args: ${refusals.slice(0, 5).join('; ')}`;
}
