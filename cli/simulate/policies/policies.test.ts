import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readObjects } from '../../read-objects.ts';
import { type Outcome, playWorld } from '../play-world.ts';
import { Scenario } from '../scenario.ts';
import { createWorldMaker } from '../worlds/make-world.ts';
import { policies } from './policies.ts';
import type { PolicyName } from './policy.ts';

const objects = readObjects(join(import.meta.dirname, '../../../test/simulate/claims'));
const [zoneA, zoneB] = ['eu-west-1a', 'eu-west-1b'];

/** What becomes of a claim whose nodes boot for three minutes and whose engine loads for seven. */
async function play(name: PolicyName, deployment: string, capacity: readonly unknown[]): Promise<Outcome> {
  const cloud = { bootMinutes: { least: 3, most: 3 } };
  const scenario = Scenario.parse({
    description: 'a',
    claims: ['-'],
    deployment,
    cloud,
    capacity,
    horizonMinutes: 400,
  });
  const policy = policies.find((one) => one.name === name);
  if (policy === undefined) throw new Error(`no policy ${name}`);
  return await playWorld(createWorldMaker({ scenario, objects }).make(1), policy);
}

const now = [{ from: 0 }];
const first = { instanceType: 'g6.xlarge', grants: now };
const second = { instanceType: 'g6e.xlarge', grants: now };
const oneBox = (from: number) => ({ instanceType: 'g7e.12xlarge', grants: [{ from }] });
const gang = [
  { instanceType: 'g7e.2xlarge', zones: [zoneA], grants: [{ from: 0, most: 1 }] },
  { instanceType: 'g7e.2xlarge', zones: [zoneB], grants: [{ from: 200, most: 1 }] },
];

const rows: readonly [string, PolicyName, string, readonly unknown[], Partial<Outcome>][] = [
  ['what is preferred is to be had', 'one-shape', 'llama', [first], { servedAt: 11 }],
  ['what is preferred is to be had', 'sequential-retry', 'llama', [first], { servedAt: 11 }],
  ['what is preferred is to be had', 'weighted-pools', 'llama', [first], { servedAt: 10 }],
  ['what is preferred is to be had', 'blocklist-failover', 'llama', [first], { servedAt: 10 }],
  ['what is preferred is to be had', 'ours', 'llama', [first], { servedAt: 12, createAtZeroMinutes: 2 }],
  ['another class is to be had: it never asks it', 'one-shape', 'llama', [second], { lost: 0 }],
  ['another class is to be had: after 36 minutes', 'sequential-retry', 'llama', [second], { servedAt: 47 }],
  ['another class is to be had: in the next loop', 'weighted-pools', 'llama', [second], { servedAt: 10 }],
  ['another class is to be had: once six places refused', 'blocklist-failover', 'llama', [second], { servedAt: 13 }],
  ['another class is to be had: when patience ends', 'ours', 'llama', [second], { servedAt: 24 }],
  ['only another shape is to be had: it has none', 'weighted-pools', 'mimo', [...gang, oneBox(300)], { servedAt: 310 }],
  [
    'only another shape is to be had: num_nodes stays',
    'blocklist-failover',
    'mimo',
    [...gang, oneBox(300)],
    { servedAt: 310 },
  ],
  ['half a gang comes: deleted with its group', 'sequential-retry', 'mimo', gang, { servedAt: 211, lost: 2 }],
  ['half a gang comes: it waits for the other half', 'ours', 'mimo', gang, { servedAt: 210, lost: 0 }],
];

test.each(rows)('when %s: %s', async (_when, name, deployment, capacity, expected) => {
  const { servedAt, lost, createAtZeroMinutes, breachMinutes } = await play(name, deployment, capacity);
  const found = { servedAt, lost, createAtZeroMinutes };
  expect({ ...found, breachMinutes }).toMatchObject({ breachMinutes: 0, ...expected });
  expect(servedAt).toBe(expected.servedAt);
});
