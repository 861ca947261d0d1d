import type { BackendChoice } from './choose-backends.ts';

/**
 * Who answers a request first, by evidence: a replica with a ready endpoint; an external endpoint, which nobody
 * observes; nobody; or unknown while the endpoints of the replicas have not been fetched.
 */
export type Answer = 'Replica' | 'External' | 'Nobody' | 'Unknown';

/** Follows the order of fallback to the first priority that has something to answer. */
export function findAnswer({ chosen, externals }: Pick<BackendChoice, 'chosen' | 'externals'>): Answer {
  const replicas = chosen.filter(({ weight }) => weight > 0);
  const outside = externals.filter(({ isPlaced, weight }) => isPlaced && weight > 0);
  const priorities = [...new Set([...replicas, ...outside].map(({ priority }) => priority))].sort((a, b) => a - b);
  for (const wanted of priorities) {
    const endpoints = replicas.filter(({ priority }) => priority === wanted).map(({ hasEndpoint }) => hasEndpoint);
    if (endpoints.includes(true)) return 'Replica';
    if (endpoints.includes(undefined)) return 'Unknown';
    if (outside.some(({ priority }) => priority === wanted)) return 'External';
  }
  return 'Nobody';
}
