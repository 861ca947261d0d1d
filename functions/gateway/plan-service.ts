import type { ExternalSeen } from '../../domain/gateway/admit-external.ts';
import { deploymentRoutes, externalRoutes } from '../../domain/gateway/model-service-spec.ts';
import type { ResourceRow } from '../compose.ts';
import type { ServiceRead } from './read-service.ts';

/** What a service will have later: its route, and the external endpoints that get no requests yet. */
export function planService(
  read: ServiceRead,
  externals: readonly ExternalSeen[],
  hasRoute: boolean,
): readonly ResourceRow[] {
  return [...(hasRoute ? [] : [plannedRoute(read)]), ...externals.flatMap(plannedExternal)];
}

function plannedRoute({ name, spec }: ServiceRead): ResourceRow {
  const deployments = deploymentRoutes(spec).map(({ deploymentName }) => `"${deploymentName}"`);
  const replicas = deployments.length === 0 ? [] : [`a replica of ${deployments.join(', ')} exists`];
  const externals = externalRoutes(spec).length === 0 ? [] : ['the objects of an external endpoint exist'];
  const why = `composed when ${[...replicas, ...externals].join(' or ')}; callers get 404 until then`;
  return { name, kind: 'AIGatewayRoute', state: 'Planned', why };
}

/** An endpoint whose objects all exist is in the route, and in status.endpoints. */
function plannedExternal({ name, endpoint, isPlaced, priority }: ExternalSeen): readonly ResourceRow[] {
  if (endpoint === undefined || isPlaced) return [];
  const why = `${endpoint.hostname} gets requests at priority ${priority} once its TLS and key are in place`;
  return [{ name, kind: 'ExternalEndpoint', state: 'Planned', why }];
}
