import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExternalSeen } from './admit-external.ts';
import { chooseBackends, maxBackends, type ReplicaSeen } from './choose-backends.ts';
import { ExternalEndpoint } from './external-endpoint.ts';
import { type Answer, findAnswer } from './find-answer.ts';
import { defaultEndpoint } from './replica-endpoint.ts';

function replica(name: string, fields: Partial<ReplicaSeen & ReplicaSeen['replica']> = {}): ReplicaSeen {
  const { deployment = 'aws', engineReady = 'True', traffic = 'Serve' } = fields;
  const hasEndpoint = 'hasEndpoint' in fields ? fields.hasEndpoint : engineReady === 'True';
  return {
    replica: {
      name,
      deployment,
      generation: 1,
      clusterName: undefined,
      traffic,
      engineReady,
      isHeldBack: false,
      endpoint: undefined,
    },
    endpoint: defaultEndpoint(name),
    hasEndpoint,
    hadWeight: false,
    isElsewhere: false,
  };
}

function external(fields: Partial<ExternalSeen & { schema: 'OpenAI' | 'Anthropic' }> = {}): ExternalSeen {
  const { name = 'hosted', weight = 100, priority = 1, isPlaced = true, schema = 'OpenAI' } = fields;
  const endpoint = ExternalEndpoint.parse({ name, hostname: 'api.vendor.example', modelName: 'large', schema });
  return { name, weight, priority, endpoint, isPlaced, isKeyRefused: false, refusal: undefined };
}

const lost = { engineReady: 'False' } as const;
const routes = [
  { deploymentName: 'aws', weight: 100, priority: 0 },
  { deploymentName: 'pool', weight: 50, priority: 0 },
];
const pool = { deployment: 'pool' } as const;

const table: readonly [
  string,
  readonly ReplicaSeen[],
  readonly ExternalSeen[],
  Readonly<Record<string, number>>,
  Answer,
][] = [
  [
    'both replicas serve',
    [replica('aws-0'), replica('pool-0', pool)],
    [external()],
    { 'aws-0': 2, 'pool-0': 1, hosted: 1 },
    'Replica',
  ],
  [
    'one replica is lost',
    [replica('aws-0', lost), replica('pool-0', pool)],
    [external()],
    { 'aws-0': 0, 'pool-0': 1, hosted: 1 },
    'Replica',
  ],
  [
    'every replica is lost',
    [replica('aws-0', lost), replica('pool-0', { ...pool, ...lost })],
    [external()],
    { 'aws-0': 0, 'pool-0': 0, hosted: 1 },
    'External',
  ],
  [
    'the only replica drains',
    [replica('aws-0', { traffic: 'Drain' })],
    [external()],
    { 'aws-0': 0, hosted: 1 },
    'External',
  ],
  ['there is no replica', [], [external()], { hosted: 1 }, 'External'],
  [
    'every replica is lost and the fallback has no objects yet',
    [replica('aws-0', lost)],
    [external({ isPlaced: false })],
    { 'aws-0': 1, hosted: 0 },
    'Nobody',
  ],
  [
    'every replica is lost and the fallback speaks Anthropic only',
    [replica('aws-0', lost)],
    [external({ schema: 'Anthropic' })],
    { 'aws-0': 1, hosted: 1 },
    'External',
  ],
  [
    'a share goes outside',
    [replica('aws-0')],
    [external({ priority: 0, weight: 25 })],
    { 'aws-0': 4, hosted: 1 },
    'Replica',
  ],
  [
    'the endpoint outside comes first',
    [replica('pool-0', pool)],
    [external({ priority: 0 })],
    { 'pool-0': 1, hosted: 2 },
    'Replica',
  ],
  [
    'the replicas are ready by word and their endpoints are not fetched',
    [replica('aws-0', { hasEndpoint: undefined })],
    [external()],
    { 'aws-0': 1, hosted: 1 },
    'Unknown',
  ],
  [
    'two fallbacks follow one another',
    [replica('aws-0', lost)],
    [external({ name: 'a', priority: 2 }), external({ name: 'b', priority: 1 })],
    { 'aws-0': 0, a: 1, b: 1 },
    'External',
  ],
];

test.each(table)(
  'L45 chooseBackends weighs and findAnswer finds who answers when %s',
  (_name, seen, externals, weights, answer) => {
    const choice = chooseBackends({ routes, seen, externals });
    const found = [
      ...choice.chosen.map((one) => [one.replica.name, one.weight] as const),
      ...choice.externals.map((one) => [one.name, one.weight] as const),
    ];
    expect(Object.fromEntries(found)).toEqual(weights);
    expect(findAnswer(choice)).toBe(answer);
  },
);

test('an endpoint outside that comes before the replicas is what answers, and nobody observes it', () => {
  const later = [{ deploymentName: 'aws', weight: 100, priority: 1 }];
  const choice = chooseBackends({ routes: later, seen: [replica('aws-0')], externals: [external({ priority: 0 })] });
  expect(findAnswer(choice)).toBe('External');
});

test('a rule that is full keeps room for the endpoints outside', () => {
  const seen = Array.from({ length: maxBackends }, (_unused, index) => replica(`r-${String(index).padStart(3, '0')}`));
  const { chosen, leftOut } = chooseBackends({ routes, seen, externals: [external()] });
  expect(chosen).toHaveLength(maxBackends - 1);
  expect(leftOut).toEqual(['r-127']);
});

const someReplica = fc.record({
  engineReady: fc.constantFrom('True' as const, 'False' as const, 'Unknown' as const),
  traffic: fc.constantFrom('Serve' as const, 'Drain' as const),
  deployment: fc.constantFrom('aws', 'pool'),
  hasEndpoint: fc.constantFrom(true, false, undefined),
});
const someExternal = fc.record({
  isPlaced: fc.boolean(),
  schema: fc.constantFrom('OpenAI' as const, 'Anthropic' as const),
  weight: fc.integer({ min: 0, max: 100 }),
  priority: fc.integer({ min: 0, max: 2 }),
});

test('S1 there is always weight for OpenAI clients, whatever is lost, and never any where objects are missing', () => {
  fc.assert(
    fc.property(
      fc.array(someReplica, { minLength: 1, maxLength: 6 }),
      fc.array(someExternal, { maxLength: 3 }),
      (rows, outside) => {
        const choice = chooseBackends({
          routes,
          seen: rows.map((row, index) => replica(`r${index}`, row)),
          externals: outside.map((row, index) => external({ ...row, name: `e${index}` })),
        });
        const openAi = choice.externals.filter(({ endpoint }) => endpoint?.schema === 'OpenAI');
        expect([...choice.chosen, ...openAi].some(({ weight }) => weight > 0)).toBe(true);
        expect(choice.externals.filter(({ isPlaced, weight }) => !isPlaced && weight > 0)).toEqual([]);
      },
    ),
  );
});

test('the weight of a fallback does not depend on the replicas before it', () => {
  fc.assert(
    fc.property(fc.array(someReplica, { maxLength: 6 }), (rows) => {
      const seen = rows.map((row, index) => replica(`r${index}`, row));
      expect(chooseBackends({ routes, seen, externals: [external()] }).externals[0]?.weight).toBe(1);
    }),
  );
});
