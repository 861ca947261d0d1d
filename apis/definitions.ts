import type { Definition } from './definition.ts';
import { definition as inferenceClass } from './inferenceclasses/definition.ts';
import { definition as inferenceCluster } from './inferenceclusters/definition.ts';
import { definition as inferenceGateway } from './inferencegateways/definition.ts';
import { definition as modelDeployment } from './modeldeployments/definition.ts';
import { definition as modelReplica } from './modelreplicas/definition.ts';
import { definition as modelService } from './modelservices/definition.ts';

/** Every kind of Modelberth. */
export const definitions: readonly Definition[] = [
  inferenceClass,
  inferenceCluster,
  inferenceGateway,
  modelDeployment,
  modelReplica,
  modelService,
];
