import { expect, test } from 'vitest';
import type { Load } from './load.ts';
import { replicasFor, requestsAtOnce } from './requests-at-once.ts';

const load: Load = { contextTokens: 32_768 };

function users(people: number, agentUsers: number, requestsPerAgentUser = 4): Load {
  return { ...load, users: { people, agentUsers, requestsPerAgentUser } };
}

const rows: readonly [string, Load, number, string][] = [
  ['the claim states it', { ...load, concurrentRequests: 7 }, 7, 'spec.load.concurrentRequests is 7'],
  ['nobody is counted', load, 4, 'spec.load states no callers, so 4 requests at once'],
  ['fifteen people read what they asked for', users(15, 0), 4, '15 people at 0.25 requests each'],
  ['L42 fifteen engineers have agents with subagents', users(0, 15), 60, '15 people with agents at 4 requests each'],
  ['both call', users(8, 2, 3), 8, '8 people at 0.25 requests each and 2 people with agents at 3 requests each'],
  ['users are counted as none', users(0, 0), 1, 'spec.load.users counts nobody, so one request at once'],
  [
    'a stated figure outweighs users',
    { ...users(0, 15), concurrentRequests: 2 },
    2,
    'spec.load.concurrentRequests is 2',
  ],
];

test.each(rows)('requestsAtOnce counts requests and says by which rule when %s', (_name, asked, requests, rule) => {
  expect(requestsAtOnce(asked)).toEqual({ requests, rule });
});

test('L42 two replicas are not enough for fifteen engineers, four with other settings are', () => {
  const { requests } = requestsAtOnce(users(0, 15));
  expect([replicasFor(requests, 30.9), replicasFor(requests, 15), replicasFor(requests, 8)]).toEqual([2, 4, 8]);
  expect([replicasFor(1, 9), replicasFor(5, 0.5)]).toEqual([1, 5]);
});
