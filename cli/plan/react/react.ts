import type { World } from '../../crossplane/world.ts';
import { reactAccepted } from './accept.ts';
import { reactNodeGroups } from './node-groups.ts';
import { type PodChange, reactPods } from './pods.ts';
import { landRemote, takeOffRemote } from './remote.ts';
import { reactEndpoints, reactRoutes } from './routes.ts';

/**
 * What everything but Modelberth makes of what was applied, where nothing goes wrong: capacity comes, engines start,
 * policies are accepted.
 */
export function react(before: World, after: World): PodChange {
  const [earlier, applied] = [landRemote(before), landRemote(after)];
  const { world, restarted } = reactPods(earlier, reactNodeGroups(earlier, applied));
  const settled = reactEndpoints(reactRoutes(earlier, reactAccepted(earlier, world)));
  return { world: takeOffRemote(settled), restarted };
}
