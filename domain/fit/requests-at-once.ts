import type { Load, Users } from './load.ts';

/** Requests at once, and the assumption that gave them. */
export interface RequestsAtOnce {
  /** Over all replicas where `users` gave it, else of one replica. */
  readonly requests: number;
  readonly rule: string;
}

/** Requests of one replica where the load says nothing about callers. */
const defaultRequests = 4;
/** A person who reads what a model writes has a request running a quarter of the time. */
const sharePerPerson = 0.25;

/** How many requests run at once, from what the load states, and why (L42: light users with subagents are heavy). */
export function requestsAtOnce(load: Load): RequestsAtOnce {
  const { concurrentRequests, users } = load;
  if (concurrentRequests !== undefined)
    return { requests: concurrentRequests, rule: `spec.load.concurrentRequests is ${concurrentRequests}` };
  if (users === undefined)
    return { requests: defaultRequests, rule: `spec.load states no callers, so ${defaultRequests} requests at once` };
  return { requests: Math.max(1, Math.ceil(fromUsers(users))), rule: explainUsers(users) };
}

function fromUsers({ people, agentUsers, requestsPerAgentUser }: Users): number {
  return people * sharePerPerson + agentUsers * requestsPerAgentUser;
}

function explainUsers({ people, agentUsers, requestsPerAgentUser }: Users): string {
  const parts = [
    ...(people > 0 ? [`${people} people at ${sharePerPerson} requests each`] : []),
    ...(agentUsers > 0 ? [`${agentUsers} people with agents at ${requestsPerAgentUser} requests each`] : []),
  ];
  return parts.length === 0 ? 'spec.load.users counts nobody, so one request at once' : parts.join(' and ');
}

/** Replicas that a number of requests at once takes, where one replica holds so many requests of the full context. */
export function replicasFor(requests: number, concurrency: number): number {
  return Math.max(1, Math.ceil(requests / Math.max(1, Math.floor(concurrency))));
}
