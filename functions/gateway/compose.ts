import type { Compose } from '../compose.ts';
import { composeInferenceGateway } from './compose-inference-gateway.ts';
import { composeModelService } from './compose-model-service.ts';

/** The gateway step: InferenceGateway to Envoy Gateway objects, ModelService to routes and backends. */
export const composeGateway: Compose = (request) => {
  const { kind } = request.xr;
  if (kind === 'InferenceGateway') return composeInferenceGateway(request);
  if (kind === 'ModelService') return composeModelService(request);
  throw new Error(`the gateway step takes InferenceGateway and ModelService, not "${kind}"; fix the Composition`);
};
