import type { Compose, ComposeRequest, Decision, Freeze } from '../compose.ts';
import { composeClass } from './compose-class.ts';
import { composeCluster } from './compose-cluster.ts';
import { composeDeployment } from './compose-deployment.ts';
import { composeReplica } from './compose-replica.ts';

const byKind: Readonly<Record<string, Compose>> = {
  InferenceClass: composeClass,
  InferenceCluster: composeCluster,
  ModelDeployment: composeDeployment,
  ModelReplica: composeReplica,
};

/** Decides where a model runs: candidates, prices, fit and the capacity ladder. */
export function composePlacement(request: ComposeRequest): Decision | Freeze {
  const compose = byKind[request.xr.kind];
  if (compose === undefined)
    throw new Error(`The placement step composes ${Object.keys(byKind).join(', ')}, not ${request.xr.kind}`);
  return compose(request);
}
