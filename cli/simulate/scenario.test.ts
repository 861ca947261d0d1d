import { expect, test } from 'vitest';
import { Scenario } from './scenario.ts';

const drawn = { description: 'a', claims: ['claims'], draw: { deployments: ['llama'] } };
const written = { description: 'a', claims: ['claims'], deployment: 'llama', capacity: [] };

const refused: readonly [string, unknown, string][] = [
  [
    'both kinds of capacity',
    { ...drawn, capacity: [] },
    'draw: a scenario has either "capacity" or "draw"; remove one',
  ],
  [
    'no capacity',
    { description: 'a', claims: ['claims'] },
    'draw: a scenario has either "capacity" or "draw"; remove one',
  ],
  [
    'written capacity without its deployment',
    { ...written, deployment: undefined },
    'deployment: capacity is written for one deployment; name it',
  ],
  [
    'a boot that ends before it begins',
    { ...written, cloud: { bootMinutes: { least: 5, most: 4 } } },
    'cloud.bootMinutes.least: is more than "most"; swap them',
  ],
  ['an unknown field', { ...written, cloud: { bootminutes: 3 } }, 'cloud: Unrecognized key: "bootminutes"'],
  ['no deployment to draw', { ...drawn, draw: { deployments: [] } }, 'draw.deployments: Too small'],
];

test.each(refused)('a scenario with %s is refused with the field', (_name, value, message) => {
  const issues = Scenario.safeParse(value).error?.issues ?? [];
  expect(issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')).toContain(message);
});

test('a scenario states only what differs: the delays of the proofs of concept are the defaults', () => {
  const { cloud, horizonMinutes } = Scenario.parse(written);
  expect({ cloud, horizonMinutes }).toMatchObject({
    horizonMinutes: 1440,
    cloud: { giveUpMinutes: 36, hangMinutes: 60, pollMinutes: 10, raiseHangs: false },
  });
});
