import type { Compose, ComposeRequest, Decision, Freeze } from '../compose.ts';
import { composeDeployment } from './compose-deployment.ts';
import { composeReplica } from './compose-replica.ts';

const byKind: Readonly<Record<string, Compose>> = { ModelDeployment: composeDeployment, ModelReplica: composeReplica };

/** Decides which replicas exist, which template each has, and which rendered revision of each is live. */
export function composeRollout(request: ComposeRequest): Decision | Freeze {
  const compose = byKind[request.xr.kind];
  if (compose === undefined)
    throw new Error(`The rollout-strategy step composes ${Object.keys(byKind).join(', ')}, not ${request.xr.kind}`);
  return compose(request);
}
