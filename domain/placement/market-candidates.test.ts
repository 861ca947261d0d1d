import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cluster, HardwareClass } from '../hardware/hardware-class.ts';
import type { NodeType } from '../hardware/node-type.ts';
import type { MarketName, Reservation } from '../hardware/reservation.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import { gib } from '../units/bytes.ts';
import { describePlace, readRungName, rungName } from './candidate.ts';
import { listCandidates, type PlacementQuestion } from './list-candidates.ts';
import { europeWith, llama } from './sample-placement.ts';

/** Too much for one accelerator, not for two. */
const large: ModelFacts = { ...llama, weightBytes: 60 * gib };

const cluster: Cluster = { ...europeWith('subnet-0a1', 'subnet-0b2', 'subnet-0b3'), hasLeaderWorkerSet: true };

function type(instanceType: string, usdPerHour: number, spotUsdPerHour?: number): NodeType {
  const known = { instanceType, accelerators: 1, allocatableCpu: 3920, allocatableMemory: 60 * gib, usdPerHour };
  return spotUsdPerHour === undefined ? known : { ...known, spotUsdPerHour };
}

function hardware(name: string, markets: readonly MarketName[] | undefined, nodeTypes: readonly NodeType[]) {
  const accelerator = {
    name: name.toUpperCase(),
    vendor: 'NVIDIA' as const,
    productName: `NVIDIA ${name}`,
    memory: 44 * gib,
    visibleMemory: 44 * gib,
  };
  const stated = markets === undefined ? {} : { markets };
  return { name, accelerator, nodeTypes, amiType: 'AL2023_x86_64_NVIDIA', ...stated } satisfies HardwareClass;
}

const both: readonly MarketName[] = ['OnDemand', 'Spot'];
const l40s = hardware('l40s', both, [type('g6e.xlarge', 1.861, 0.9), type('g6e.2xlarge', 2.24, 1.2)]);
const onDemand = hardware('l40s', undefined, [type('g6e.xlarge', 1.861, 0.9)]);
const unpriced = hardware('l40s', both, [type('g6e.xlarge', 1.861)]);

function ask(row: Partial<PlacementQuestion>) {
  const { allowed, refusals } = listCandidates({
    facts: llama,
    load: { contextTokens: 16_384, concurrentRequests: 2 },
    cluster,
    classes: [l40s],
    budget: {},
    mostNodes: 2,
    prefer: 'Price',
    ...row,
  });
  return {
    allowed: allowed.map((candidate) => `${rungName(candidate)} ${candidate.usdPerHour ?? 'unpriced'}`),
    refused: refusals.map(({ reason, message }) => `${reason}: ${message}`),
  };
}

type Row = readonly [string, Partial<PlacementQuestion>, readonly string[], readonly string[]];

const table: readonly Row[] = [
  ['the claim says nothing, so that it is on demand', {}, ['l40s/1x1-tp1-pp1/OnDemand 2.24'], []],
  [
    'spot is preferred, at the price of that market',
    { markets: ['Spot', 'OnDemand'] },
    ['l40s/1x1-tp1-pp1/Spot 1.2', 'l40s/1x1-tp1-pp1/OnDemand 2.24'],
    [],
  ],
  [
    'on demand is preferred although it is dearer',
    { markets: ['OnDemand', 'Spot'] },
    ['l40s/1x1-tp1-pp1/OnDemand 2.24', 'l40s/1x1-tp1-pp1/Spot 1.2'],
    [],
  ],
  [
    'the class is not bought on a market of the claim',
    { classes: [onDemand], markets: ['Spot', 'OnDemand'] },
    ['l40s/1x1-tp1-pp1/OnDemand 1.861'],
    [
      'NotPlaceable: spec.placement.markets allows Spot, and InferenceClass "l40s" is bought OnDemand: change one of them (spec.eks.markets of the class)',
    ],
  ],
  [
    'L3 the price of spot is unknown and there is no budget',
    { classes: [unpriced], markets: ['Spot'] },
    ['l40s/1x1-tp1-pp1/Spot unpriced'],
    [],
  ],
  [
    'L3 the price of spot is unknown under a budget',
    { classes: [unpriced], markets: ['Spot'], budget: { usdPerHour: 5 } },
    [],
    [
      'OverBudget: The price of class "l40s" is unknown, so a budget cannot be kept; set spotUsdPerHour of its node types',
    ],
  ],
  [
    'L3 a type that breaks the budget on demand is cut there and asked for on spot',
    { markets: ['Spot', 'OnDemand'], budget: { usdPerHour: 2 } },
    ['l40s/1x1-tp1-pp1/Spot 1.2', 'l40s/1x1-tp1-pp1/OnDemand 1.861'],
    [],
  ],
  [
    'L10 a gang needs one zone, so that each zone is a rung',
    { facts: large, zones: 'Same' },
    ['l40s/2x1-tp1-pp2/OnDemand/eu-west-1a 4.48', 'l40s/2x1-tp1-pp2/OnDemand/eu-west-1b 4.48'],
    ['Misfit: Each L40S is short by 29.7 GiB; allow a class with larger accelerators'],
  ],
  ['L10 one node needs no zone, whatever is said of gangs', { zones: 'Same' }, ['l40s/1x1-tp1-pp1/OnDemand 2.24'], []],
];

test.each(table)('listCandidates spans markets and zones when %s', (_name, row, allowed, refused) => {
  const found = ask(row);
  expect(found.allowed).toEqual(allowed);
  expect(found.refused.map((line) => line.replace(/short by [\d.]+ GiB; .*$/, 'short'))).toEqual(
    refused.map((line) => line.replace(/short by [\d.]+ GiB; .*$/, 'short')),
  );
});

test('L10 a gang that needs one zone is refused on a pool, of which nodes are granted in any zone', () => {
  const node = { accelerators: 1, allocatableCpu: 3920, allocatableMemory: 60 * gib, usdPerHour: 1 };
  const pool = { name: 'metal', className: 'l40s', nodeSelector: { pool: 'metal' }, node, taints: [] };
  const { eks: _eks, ...elsewhere } = cluster;
  const question = { facts: large, cluster: { ...elsewhere, pools: [pool] } };
  expect(ask(question).allowed).toEqual(['l40s/2x1-tp1-pp2/pool/metal 2']);
  const same = ask({ ...question, zones: 'Same' });
  expect(same.allowed).toEqual([]);
  expect(same.refused).toContain(
    'NotPlaceable: Nodes of pool "metal" are granted in any zone, and spec.placement.zones is "Same": set it to "Any", or allow a shape of one node',
  );
});

const now = new Date('2026-12-01T12:00:00Z');
const reservation: Reservation = {
  id: 'cr-0a1b',
  type: 'CapacityReservation',
  instanceType: 'g6e.xlarge',
  zone: 'eu-west-1b',
  count: 1,
  endsAt: '2026-12-02T12:00:00Z',
};

function reserve(changed: Partial<Reservation>, row: Partial<PlacementQuestion> = {}) {
  const hardwareClass: HardwareClass = { ...onDemand, reservations: [{ ...reservation, ...changed }] };
  return ask({ classes: [hardwareClass], markets: ['Reservation', 'OnDemand'], now, ...row });
}

const first = 'l40s/1x1-tp1-pp1/Reservation/cr-0a1b';
const second = 'l40s/1x1-tp1-pp1/OnDemand 1.861';

const reservations: readonly [string, ReturnType<typeof ask>, readonly string[], readonly string[]][] = [
  ['it is paid already, and lasts', reserve({}), [`${first} 0`, second], []],
  ['it has a price of its own', reserve({ usdPerHour: 1.5 }), [`${first} 1.5`, second], []],
  [
    'it nears its end',
    reserve({ endsAt: '2026-12-01T14:00:00Z' }),
    [second],
    [
      'ReservationEnds: Reservation cr-0a1b ends at 2026-12-01T14:00:00Z and is not asked for after 2026-12-01T12:00:00Z: extend it and correct endsAt, or allow another market',
    ],
  ],
  ['its end is a second too far', reserve({ endsAt: '2026-12-01T14:00:01Z' }), [`${first} 0`, second], []],
  [
    'the cluster has no subnet in its zone',
    reserve({ zone: 'eu-west-1c' }),
    [second],
    [
      'NotPlaceable: Reservation cr-0a1b is in eu-west-1c, and InferenceCluster "europe" has no subnet there: add one to spec.eks.subnets',
    ],
  ],
  [
    'the class does not list its type',
    reserve({ instanceType: 'g6e.48xlarge' }),
    [second],
    [
      'NotPlaceable: Reservation cr-0a1b is of g6e.48xlarge, which InferenceClass "l40s" does not list: add it to its spec.eks.nodeTypes',
    ],
  ],
  [
    'S8 the control plane has no launch templates',
    reserve({}, { lacksTemplates: true }),
    [second],
    [
      'NotPlaceable: The control plane has no LaunchTemplate of EC2: install provider-aws-ec2 2.4 or newer, with LaunchTemplate activated',
    ],
  ],
];

test.each(reservations)('L15 a reservation is a rung of its own when %s', (_name, found, allowed, refused) => {
  expect(found).toEqual({ allowed, refused });
});

test('L15 a gang is refused where the reservation has fewer instances, and every reason is collected', () => {
  const { allowed, refused } = reserve({ zone: 'eu-west-1c' }, { facts: large });
  expect(allowed).toEqual(['l40s/2x1-tp1-pp2/OnDemand 3.722']);
  expect(refused.filter((line) => line.includes('cr-0a1b'))).toEqual([
    ...reserve({ zone: 'eu-west-1c' }).refused,
    ...reserve({ zone: 'eu-west-1c' }).refused,
    'NotPlaceable: Reservation cr-0a1b has 1 of the 2 instances: reserve more, or allow another market',
  ]);
});

const someMarkets = fc.shuffledSubarray<MarketName>(['OnDemand', 'Spot'], { minLength: 1 });

test('listCandidates keeps the order of markets within a class, and asks on none that either side leaves out', () => {
  fc.assert(
    fc.property(someMarkets, someMarkets, fc.constantFrom('Any' as const, 'Same' as const), (claim, sold, zones) => {
      const { allowed } = listCandidates({
        facts: large,
        load: { contextTokens: 16_384, concurrentRequests: 2 },
        cluster,
        classes: [hardware('l40s', sold, l40s.nodeTypes)],
        budget: {},
        mostNodes: 4,
        prefer: 'Price',
        markets: claim,
        zones,
      });
      const ranks = allowed.map(({ market }) => claim.indexOf(market as MarketName));
      expect(ranks).toEqual(ranks.toSorted((left, right) => left - right));
      expect(allowed.every(({ market }) => sold.includes(market as MarketName))).toBe(true);
      expect(new Set(allowed.map(rungName)).size).toBe(allowed.length);
      for (const candidate of allowed) {
        const { className, market, within } = readRungName(rungName(candidate));
        expect([className, market, within]).toEqual(['l40s', candidate.market, candidate.zone]);
        expect(describePlace(candidate).includes('on spot')).toBe(candidate.market === 'Spot');
      }
    }),
  );
});
