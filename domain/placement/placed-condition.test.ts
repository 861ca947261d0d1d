import { expect, test } from 'vitest';
import type { Condition } from '../kubernetes/condition.ts';
import type { Climb, RungDecision } from './climb-ladder.ts';
import { placedCondition } from './placed-condition.ts';
import type { Refusal } from './refuse-candidate.ts';
import type { GroupView, RungView } from './rung.ts';

const asked = '2026-12-01T10:00:00Z';
const group: GroupView = { key: 'pool-a', name: 'a', specSize: 1, joined: 0, usable: 0, askedAt: asked };

function rung(name: string, groups: readonly Partial<GroupView>[], nodes = 1): RungView {
  return { name, nodes, usdPerHour: 1, groups: groups.map((one) => ({ ...group, ...one })), allowed: true };
}

function decide(view: RungView, wanted: RungDecision['wanted'], state: RungDecision['state']): RungDecision {
  return { rung: view, wanted, state };
}

function climb(decisions: readonly RungDecision[], rest: Partial<Climb> = {}): Climb {
  return { decisions, exhausted: false, ...rest };
}

const won = rung('l4', [{ joined: 1, usable: 1 }]);
const joined = rung('gang', [{ joined: 1, usable: 1 }, { joined: 1 }], 2);
const waiting = rung('l4', [{}]);
const parkedGroup: GroupView = {
  key: 'pool-a',
  name: 'a',
  specSize: 0,
  observedSize: 1,
  joined: 0,
  usable: 0,
  parkedAt: asked,
};
const draining: RungView = { ...waiting, groups: [parkedGroup] };
const overBudget: Refusal = { class: 'l40s', shape: '1 x L40S', reason: 'OverBudget', message: 'too dear' };

const table: readonly [string, Climb, readonly Refusal[], Omit<Condition, 'type'>][] = [
  [
    'every node of the winner is usable',
    climb([decide(won, 'Asked', 'Usable')], { winner: won }),
    [overBudget],
    { status: 'True', reason: 'NodesUsable', message: '1 of 1 nodes of l4 are usable' },
  ],
  [
    'S5 a node of the winner has joined and is not ready',
    climb([decide(joined, 'Asked', 'Joined')], { winner: joined }),
    [],
    {
      status: 'Unknown',
      reason: 'NotObserved',
      message: '1 of 2 nodes of gang are usable; the others have joined and are not Ready',
    },
  ],
  [
    'L13 two rungs are asked',
    climb([decide(waiting, 'Asked', 'Asked'), decide(rung('l40s', []), 'Asked', 'Asked')]),
    [],
    {
      status: 'False',
      reason: 'WaitingForNodes',
      message: 'Waiting for nodes of l4 (0 of 1 nodes, asked 2026-12-01T10:00:00Z) and l40s (0 of 1 nodes)',
    },
  ],
  [
    'L13 every rung has been asked',
    climb([decide(waiting, 'Asked', 'Asked')], { exhausted: true }),
    [overBudget],
    {
      status: 'False',
      reason: 'LadderExhausted',
      message: 'Waiting for nodes of l4 (0 of 1 nodes, asked 2026-12-01T10:00:00Z)',
    },
  ],
  [
    'every candidate was refused',
    climb([], { exhausted: true }),
    [overBudget],
    { status: 'False', reason: 'OverBudget', message: 'Cannot place "llama": l40s (1 x L40S): too dear' },
  ],
  [
    'the quota leaves no room for the only candidate',
    climb([decide(rung('l4', []), 'Untouched', 'Free')]),
    [],
    {
      status: 'False',
      reason: 'NodeGroupQuota',
      message: 'Cannot ask for another node group on the cluster: raise spec.maxNodeGroups of its InferenceCluster',
    },
  ],
  [
    'the quota leaves no room for a candidate, and the refusal of another one is not the reason',
    climb([decide(rung('l4', []), 'Untouched', 'Free')]),
    [overBudget],
    {
      status: 'False',
      reason: 'NodeGroupQuota',
      message: 'Cannot ask for another node group on the cluster: raise spec.maxNodeGroups of its InferenceCluster',
    },
  ],
  [
    'L12 what serves cannot hold the claim as it is now, and a candidate is asked beside it',
    climb([decide(won, 'Asked', 'Serving'), decide(rung('l40s', []), 'Asked', 'Asked')], { leaving: won }),
    [],
    {
      status: 'False',
      reason: 'WaitingForNodes',
      message:
        'l4 serves on as it was and cannot hold the claim as it is now: Waiting for nodes of l40s (0 of 1 nodes)',
    },
  ],
  [
    'L3 L12 what serves cannot hold the claim as it is now, and the budget holds no second rung',
    climb([decide(won, 'Asked', 'Serving'), decide(rung('l40s', []), 'Untouched', 'Free')], { leaving: won }),
    [],
    {
      status: 'False',
      reason: 'OverBudget',
      message:
        'l4 serves on as it was and cannot hold the claim as it is now: Cannot ask for another rung beside it within the budget and the node groups of the cluster, at least USD 2.00/h for both: raise spec.budget.usdPerHour while it moves, or spec.maxNodeGroups of the InferenceCluster',
    },
  ],
  [
    'L12 what serves cannot hold the claim as it is now, and every candidate is refused',
    climb([decide({ ...won, allowed: false }, 'Asked', 'Serving')], { leaving: { ...won, allowed: false } }),
    [overBudget],
    {
      status: 'False',
      reason: 'OverBudget',
      message:
        'l4 serves on as it was and cannot hold the claim as it is now: Cannot place "llama": l40s (1 x L40S): too dear',
    },
  ],
];

test.each(table)('S5 placedCondition says what is true when %s', (_name, decided, refusals, expected) => {
  expect(placedCondition('llama', decided, refusals)).toEqual({ type: 'Placed', ...expected });
});

const between: readonly [string, readonly Refusal[]][] = [
  ['no candidate was refused', []],
  ['another candidate was refused', [overBudget]],
];

test.each(between)(
  'L13 placedCondition waits for nodes while a parked rung drains before the next is asked and %s',
  (_name, refusals) => {
    const decided = climb([decide(draining, 'Untouched', 'Draining'), decide(rung('l40s', []), 'Untouched', 'Free')]);
    const { status, reason } = placedCondition('llama', decided, refusals);
    expect({ status, reason }).toEqual({ status: 'False', reason: 'WaitingForNodes' });
  },
);
