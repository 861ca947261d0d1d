import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cluster, HardwareClass } from '../hardware/hardware-class.ts';
import type { NodeType } from '../hardware/node-type.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import { formatShape } from '../shape/shape.ts';
import { gib, mib } from '../units/bytes.ts';
import { type Candidates, listCandidates, type PlacementQuestion } from './list-candidates.ts';
import { europeWith, llama } from './sample-placement.ts';

const cluster: Cluster = { ...europeWith('subnet-0a1'), hasLeaderWorkerSet: true };

function type(instanceType: string, accelerators: number, usdPerHour?: number): NodeType {
  const known = { instanceType, accelerators, allocatableCpu: 3920, allocatableMemory: accelerators * 44 * gib };
  return usdPerHour === undefined ? known : { ...known, usdPerHour };
}

function hardware(name: string, visibleGib: number, nodeTypes: readonly NodeType[]): HardwareClass {
  const visibleMemory = visibleGib * gib;
  const accelerator = {
    name: name.toUpperCase(),
    vendor: 'NVIDIA' as const,
    productName: `NVIDIA ${name}`,
    memory: visibleMemory,
    visibleMemory,
  };
  return { name, accelerator, nodeTypes, amiType: 'AL2023_x86_64_NVIDIA' };
}

const l4 = hardware('l4', (22_559 * mib) / gib, [type('g6.xlarge', 1, 0.8048), type('g6.2xlarge', 1, 0.9776)]);
const l40s = hardware('l40s', 44, [type('g6e.xlarge', 1, 1.861)]);
const t4 = hardware('t4', 14.5, [type('g4dn.xlarge', 1, 0.587), type('g4dn.12xlarge', 4, 4.37)]);
const a10 = hardware('a10', 22, [type('g5.xlarge', 1)]);
/** A class of which only some prices are known. */
const mixed = hardware('mixed', 44, [type('g6e.2xlarge', 1, 2.24), type('g6e.metal', 1)]);

interface Row {
  readonly classes: readonly HardwareClass[];
  readonly usdPerHour?: number;
  readonly contextTokens?: number;
  readonly facts?: ModelFacts;
  readonly mostNodes?: number;
  readonly prefer?: PlacementQuestion['prefer'];
}

function ask({
  classes,
  usdPerHour,
  contextTokens = 16_384,
  facts = llama,
  mostNodes = 1,
  prefer = 'Price',
}: Row): Candidates {
  const load = { contextTokens, concurrentRequests: 2 };
  const budget = usdPerHour === undefined ? {} : { usdPerHour };
  const question: PlacementQuestion = { facts, load, cluster, classes, budget, mostNodes, prefer };
  return listCandidates(question);
}

/** Class, shape, types and price of what is allowed; class, shape and reason of what is not. */
function summarize({ allowed, refusals }: Candidates) {
  return {
    allowed: allowed.map(({ hardwareClass, shape, nodeTypes, usdPerHour }) => {
      const types = nodeTypes.map(({ instanceType }) => instanceType).join(', ');
      return `${hardwareClass.name} ${formatShape(shape)} [${types}] ${usdPerHour ?? 'unpriced'}`;
    }),
    refused: refusals.map(({ class: name, shape, reason }) => `${name} (${shape ?? 'no shape'}): ${reason}`),
  };
}

const both = 'l4 1x1-tp1-pp1 [g6.xlarge, g6.2xlarge] 0.9776';

const table: readonly [string, Row, { allowed: readonly string[]; refused: readonly string[] }][] = [
  [
    'L13 the order of the classes is kept, not the order of prices',
    { classes: [l40s, l4] },
    { allowed: ['l40s 1x1-tp1-pp1 [g6e.xlarge] 1.861', both], refused: [] },
  ],
  ['L7 every instance type of the size is asked for', { classes: [l4] }, { allowed: [both], refused: [] }],
  [
    'L3 a type that breaks the budget is cut from the list',
    { classes: [l4], usdPerHour: 0.9 },
    { allowed: ['l4 1x1-tp1-pp1 [g6.xlarge] 0.8048'], refused: [] },
  ],
  ['L3 a type costs exactly the budget', { classes: [l4], usdPerHour: 0.9776 }, { allowed: [both], refused: [] }],
  [
    'L3 every type breaks the budget',
    { classes: [l4, l40s], usdPerHour: 0.5 },
    { allowed: [], refused: ['l4 (1 x L4): OverBudget', 'l40s (1 x L40S): OverBudget'] },
  ],
  [
    'L3 a price is unknown under a budget',
    { classes: [a10, l4], usdPerHour: 5 },
    { allowed: [both], refused: ['a10 (1 x A10): OverBudget'] },
  ],
  [
    'L3 one of two prices is unknown under a budget',
    { classes: [mixed], usdPerHour: 5 },
    { allowed: ['mixed 1x1-tp1-pp1 [g6e.2xlarge] 2.24'], refused: [] },
  ],
  [
    'a price is unknown and there is no budget',
    { classes: [a10] },
    { allowed: ['a10 1x1-tp1-pp1 [g5.xlarge] unpriced'], refused: [] },
  ],
  [
    'a class has several shapes, of which the cheaper is refused by memory',
    { classes: [t4] },
    { allowed: ['t4 1x4-tp4-pp1 [g4dn.12xlarge] 4.37'], refused: ['t4 (1 x T4): Misfit'] },
  ],
  [
    'one candidate is refused by memory and by price',
    { classes: [t4], usdPerHour: 0.5 },
    {
      allowed: [],
      refused: ['t4 (1 x T4): Misfit', 't4 (1 x T4): OverBudget', 't4 (4 x T4): OverBudget'],
    },
  ],
  [
    'a fact is unknown',
    { classes: [l4, l40s], facts: { attentionHeads: 32, keyValueHeads: 8 } },
    { allowed: [], refused: ['l4 (1 x L4): Unsupported', 'l40s (1 x L40S): Unsupported'] },
  ],
  [
    'no number of accelerators can split the model',
    { classes: [hardware('odd', 44, [type('odd.3', 3, 1), type('odd.5', 5, 1)])] },
    { allowed: [], refused: ['odd (3 x ODD): NotPlaceable', 'odd (5 x ODD): NotPlaceable'] },
  ],
  [
    'one number of accelerators can split the model and another cannot',
    { classes: [hardware('odd', 44, [type('odd.1', 1, 1), type('odd.3', 3, 1)])] },
    { allowed: ['odd 1x1-tp1-pp1 [odd.1] 1'], refused: ['odd (3 x ODD): NotPlaceable'] },
  ],
  [
    'the heads are unknown, so that no split can be judged',
    {
      classes: [hardware('big', 80, [type('big.8', 8, 1)])],
      facts: { ...llama, attentionHeads: undefined } as ModelFacts,
    },
    { allowed: [], refused: ['big (8 x BIG): Unsupported'] },
  ],
];

test.each(table)(
  'listCandidates lists what may be asked for and every reason against the rest when %s',
  (_n, row, expected) => {
    expect(summarize(ask(row))).toEqual(expected);
  },
);

test('L3 a refusal by price names both sums and the field to change', () => {
  expect(ask({ classes: [l4], usdPerHour: 0.5 }).refusals).toEqual([
    {
      class: 'l4',
      shape: '1 x L4',
      reason: 'OverBudget',
      message:
        'It costs USD 0.98/h and the share of one replica is USD 0.50/h; raise spec.budget.usdPerHour or allow a cheaper class',
    },
  ]);
});

test('a refusal by memory names the shortfall and the longest context that fits', () => {
  const [refusal] = ask({ classes: [l4], contextTokens: 65_536 }).refusals;
  expect(refusal?.message).toMatch(
    /^Each L4 is short by \d\.\d GiB; set spec\.load\.contextTokens to at most \d{5}, or allow a class with larger accelerators$/,
  );
  const longest = Number(/at most (\d+)/.exec(refusal?.message ?? '')?.[1]);
  expect(summarize(ask({ classes: [l4], contextTokens: longest }))).toEqual({ allowed: [both], refused: [] });
});

const someType = fc.record({
  accelerators: fc.constantFrom(1, 2, 3, 4, 8),
  usdPerHour: fc.option(
    fc.integer({ min: 1, max: 200_000 }).map((units) => units / 1e4),
    { nil: undefined },
  ),
});
const someClasses = fc
  .array(
    fc.record({
      visibleGib: fc.integer({ min: 8, max: 80 }),
      types: fc.array(someType, { minLength: 1, maxLength: 6 }),
    }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((all) =>
    all.map(({ visibleGib, types }, index) => {
      const nodeTypes = types.map((one, at) => type(`c${index}.${at}`, one.accelerators, one.usdPerHour));
      return hardware(`c${index}`, visibleGib, nodeTypes);
    }),
  );
const someBudget = fc.option(
  fc.integer({ min: 1, max: 200_000 }).map((units) => units / 1e4),
  { nil: undefined },
);

test('L3 no candidate that may be asked for can cost more than the budget, whichever listed type arrives', () => {
  fc.assert(
    fc.property(someClasses, someBudget, (classes, usdPerHour) => {
      const { allowed } = ask({ classes, ...(usdPerHour === undefined ? {} : { usdPerHour }) });
      for (const { shape, nodeTypes, verdict, usdPerHour: price } of allowed) {
        expect([verdict.verdict, nodeTypes.length > 0]).toEqual(['Fit', true]);
        expect(nodeTypes.every(({ accelerators }) => accelerators === shape.acceleratorsPerNode)).toBe(true);
        if (usdPerHour === undefined) continue;
        const dearest = Math.max(...nodeTypes.map((one) => shape.nodes * (one.usdPerHour ?? Number.POSITIVE_INFINITY)));
        expect(dearest).toBeLessThanOrEqual(usdPerHour);
        expect(price).toBeCloseTo(dearest, 4);
      }
    }),
  );
});

test('listCandidates keeps the order of classes, and every class is either asked for or refused', () => {
  fc.assert(
    fc.property(someClasses, someBudget, (classes, usdPerHour) => {
      const { allowed, refusals } = ask({ classes, ...(usdPerHour === undefined ? {} : { usdPerHour }) });
      const positions = allowed.map(({ hardwareClass }) => classes.indexOf(hardwareClass));
      expect(positions).toEqual(positions.toSorted((left, right) => left - right));
      const named = new Set([
        ...allowed.map(({ hardwareClass }) => hardwareClass.name),
        ...refusals.map((one) => one.class),
      ]);
      expect([...named].sort()).toEqual(classes.map(({ name }) => name).sort());
    }),
  );
});

test('listCandidates puts the cheaper shape of a class first', () => {
  fc.assert(
    fc.property(someClasses, (classes) => {
      for (const hardwareClass of classes) {
        const prices = ask({ classes: [hardwareClass] }).allowed.map(
          (one) => one.usdPerHour ?? Number.POSITIVE_INFINITY,
        );
        expect(prices).toEqual(prices.toSorted((left, right) => left - right));
      }
    }),
  );
});

const pro = hardware('pro', 94.97, [type('g7e.2xlarge', 1, 3.363), type('g7e.12xlarge', 2, 8.286)]);
/** A model of 150 GiB: too much for one accelerator of 95 GiB, not for two. */
const large: ModelFacts = { ...llama, weightBytes: 150 * 2 ** 30 };

const gangs: readonly [string, Row, readonly string[]][] = [
  ['the cheapest shape is asked first', { classes: [pro], facts: large, mostNodes: 2 }, ['2x1-tp1-pp2', '1x2-tp2-pp1']],
  [
    'fewest nodes are asked first where the author wants that',
    { classes: [pro], facts: large, mostNodes: 2, prefer: 'FewestNodes' },
    ['1x2-tp2-pp1', '2x1-tp1-pp2'],
  ],
  ['one node is all that the author allows', { classes: [pro], facts: large }, ['1x2-tp2-pp1']],
  [
    'one node holds the model, so that no gang is asked',
    { classes: [pro], mostNodes: 4 },
    ['1x1-tp1-pp1', '1x2-tp2-pp1'],
  ],
];

test.each(gangs)('L9 listCandidates finds the shapes of a model when %s', (_name, row, shapes) => {
  expect(ask(row).allowed.map(({ shape }) => formatShape(shape))).toEqual(shapes);
});

test('S8 a gang is refused with what to install where the cluster lacks LeaderWorkerSet', () => {
  const { hasLeaderWorkerSet: _known, ...bare } = cluster;
  const question: PlacementQuestion = {
    facts: large,
    load: { contextTokens: 16_384, concurrentRequests: 2 },
    cluster: bare,
    classes: [pro],
    budget: {},
    mostNodes: 2,
    prefer: 'Price',
  };
  const { allowed, refusals } = listCandidates(question);
  expect(allowed.map(({ shape }) => formatShape(shape))).toEqual(['1x2-tp2-pp1']);
  expect(refusals.filter(({ shape }) => shape?.startsWith('2 nodes')).map(({ message }) => message)).toContain(
    'Cluster "europe" cannot run a gang of nodes: install LeaderWorkerSet 0.8 or newer, for models that need several nodes',
  );
});

test('a gang is refused where the engine is of before gangs, and one node is not', () => {
  const question: PlacementQuestion = {
    facts: large,
    load: { contextTokens: 16_384, concurrentRequests: 2 },
    engine: { type: 'vLLM', image: 'vllm/vllm-openai:v0.10.2', args: [] },
    cluster,
    classes: [pro],
    budget: {},
    mostNodes: 2,
    prefer: 'Price',
  };
  const refused = listCandidates(question).refusals.filter(({ shape }) => shape?.startsWith('2 nodes'));
  expect(refused.map(({ message }) => message)).toContain(
    'A gang needs a flag that the engine does not know: vLLM 0.10.2 has no "--nnodes", 0.11.2 has it: set spec.engine.image to a release that has it, or allow a shape of one node',
  );
  const newer = { ...question, engine: { type: 'vLLM' as const, image: 'vllm/vllm-openai:v0.11.2', args: [] } };
  const said = listCandidates(newer).refusals.map(({ message }) => message);
  expect(said.filter((message) => message.includes('--nnodes'))).toEqual([]);
});
