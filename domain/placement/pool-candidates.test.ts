import { expect, test } from 'vitest';
import type { ExistingPool } from '../hardware/existing-pool.ts';
import type { Cluster, HardwareClass } from '../hardware/hardware-class.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import { gib } from '../units/bytes.ts';
import { describePlace, rungName } from './candidate.ts';
import { type Candidates, listCandidates, type PlacementQuestion } from './list-candidates.ts';
import { renderNodeGroups } from './node-group.ts';
import { listSources } from './node-sources.ts';

/** 160 GB of weights: one accelerator of 192 GiB holds them without a cache, two hold them well. */
const large: ModelFacts = {
  architecture: 'LlamaForCausalLM',
  attention: 'Full',
  layers: 64,
  hiddenSize: 8192,
  intermediateSize: 28672,
  attentionHeads: 64,
  keyValueHeads: 8,
  headSize: 128,
  vocabularySize: 128256,
  maxContextTokens: 131072,
  precision: 'bf16',
  weightBytes: 190_000_000_000,
};
const small: ModelFacts = { ...large, layers: 32, hiddenSize: 4096, weightBytes: 16_000_000_000 };

const accelerator = {
  name: 'MI300X',
  vendor: 'AMD' as const,
  productName: 'AMD_Instinct_MI300X_OAM',
  memory: 192 * gib,
  visibleMemory: 191 * gib,
};
const mi300x: HardwareClass = { name: 'mi300x', accelerator, nodeTypes: [] };
const onEks: HardwareClass = {
  ...mi300x,
  nodeTypes: [
    {
      instanceType: 'mi.8xlarge',
      accelerators: 8,
      allocatableCpu: 190_000,
      allocatableMemory: 1800 * gib,
      usdPerHour: 40,
    },
  ],
  amiType: 'AL2023',
};

function pool(name: string, accelerators: number, usdPerHour?: number): ExistingPool {
  const node = { accelerators, allocatableCpu: 96_000, allocatableMemory: 800 * gib };
  const priced = usdPerHour === undefined ? node : { ...node, usdPerHour };
  return { name, className: 'mi300x', nodeSelector: { gpu: name }, node: priced, taints: [] };
}

const eks = { name: 'e', region: 'eu-west-1', nodeRoleArn: 'arn', subnets: [], providerConfigName: 'default' };
function cluster(pools: readonly ExistingPool[], more: Partial<Cluster> = {}): Cluster {
  return {
    name: 'north',
    pools,
    allocation: 'DRA',
    namespaces: { gateway: 'envoy-gateway-system', monitoring: 'monitoring' },
    maxNodeGroups: 30,
    guardrails: { trustRemoteCode: 'Refuse' },
    hasLeaderWorkerSet: true,
    ...more,
  };
}

function ask(question: Partial<PlacementQuestion> & Pick<PlacementQuestion, 'cluster'>): Candidates {
  const load = { contextTokens: 16_384, concurrentRequests: 2 };
  return listCandidates({
    facts: large,
    load,
    classes: [mi300x],
    budget: {},
    mostNodes: 2,
    prefer: 'Price',
    ...question,
  });
}

function summarize({ allowed, refusals }: Candidates) {
  return {
    allowed: allowed.map((candidate) => `${rungName(candidate)} ${candidate.usdPerHour ?? 'unpriced'}`),
    refused: refusals.map(({ shape, reason }) => `${shape ?? 'no shape'}: ${reason}`),
  };
}

const metal8 = pool('metal', 8, 16);
const table: readonly [string, Candidates, { allowed: readonly string[]; refused: readonly string[] }][] = [
  [
    'L45 the part of a node that is enough, at its part of the price, and no larger one',
    ask({ cluster: cluster([metal8]) }),
    {
      allowed: ['mi300x/1x2-tp2-pp1/pool/metal 4'],
      refused: ['1 x MI300X in pool metal: Misfit'],
    },
  ],
  [
    'a model that one accelerator holds takes one',
    ask({ cluster: cluster([metal8]), facts: small }),
    { allowed: ['mi300x/1x1-tp1-pp1/pool/metal 2'], refused: [] },
  ],
  [
    'L9 a gang takes whole nodes where one node is too small',
    ask({ cluster: cluster([pool('single', 1, 2)]) }),
    { allowed: ['mi300x/2x1-tp1-pp2/pool/single 4'], refused: ['1 x MI300X in pool single: Misfit'] },
  ],
  [
    'pools and EKS by price, cheapest whole replica first',
    ask({ cluster: cluster([metal8, pool('dear', 8, 80)], { eks }), classes: [onEks], facts: small }),
    {
      allowed: ['mi300x/1x1-tp1-pp1/pool/metal 2', 'mi300x/1x1-tp1-pp1/pool/dear 10', 'mi300x/1x8-tp8-pp1/OnDemand 40'],
      refused: [],
    },
  ],
  [
    'a pool of unknown price comes last',
    ask({ cluster: cluster([pool('gift', 8)], { eks }), classes: [onEks], facts: small }),
    { allowed: ['mi300x/1x8-tp8-pp1/OnDemand 40', 'mi300x/1x1-tp1-pp1/pool/gift unpriced'], refused: [] },
  ],
  [
    'L3 an unknown price is refused under a budget',
    ask({ cluster: cluster([pool('gift', 8)]), facts: small, budget: { usdPerHour: 5 } }),
    { allowed: [], refused: ['1 x MI300X in pool gift: OverBudget'] },
  ],
  [
    'the cluster is not of EKS, and what EKS could launch is not asked',
    ask({ cluster: cluster([metal8]), classes: [onEks], facts: small }),
    { allowed: ['mi300x/1x1-tp1-pp1/pool/metal 2'], refused: [] },
  ],
  [
    'nothing of the class is there',
    ask({ cluster: cluster([{ ...metal8, className: 'h100' }]) }),
    { allowed: [], refused: ['no shape: NotPlaceable'] },
  ],
  [
    'a number of accelerators that the heads cannot be divided by',
    ask({ cluster: cluster([pool('odd', 3, 6)]) }),
    {
      allowed: [],
      refused: ['1 x MI300X in pool odd: Misfit', '3 x MI300X: NotPlaceable'],
    },
  ],
];

test.each(table)('listCandidates lists of existing pools %s', (_name, candidates, expected) => {
  expect(summarize(candidates)).toEqual(expected);
});

test('a refusal names the pool, and the field that would change it', () => {
  const [price] = ask({ cluster: cluster([pool('gift', 8)]), facts: small, budget: { usdPerHour: 5 } }).refusals;
  expect(price?.message).toBe(
    'The price of class "mi300x" is unknown, so a budget cannot be kept; set node.usdPerHour of pool "gift"',
  );
  const missing = (where: Cluster, hardwareClass: HardwareClass) =>
    ask({ cluster: where, classes: [hardwareClass] }).refusals[0]?.message;
  expect(missing(cluster([], { eks }), mi300x)).toBe(
    'InferenceCluster "north" has no nodes of class "mi300x": list a pool of it under spec.pools, or state spec.eks of InferenceClass "mi300x"',
  );
  expect(missing(cluster([]), onEks)).toBe(
    'InferenceCluster "north" has no nodes of class "mi300x": list a pool of it under spec.pools',
  );
});

test('L14 a candidate on a pool says so, makes no node group, and takes its part of the node', () => {
  const [candidate] = ask({ cluster: cluster([metal8], { eks }), classes: [onEks], facts: small }).allowed;
  if (candidate === undefined) throw new Error('want a candidate');
  expect(describePlace(candidate)).toBe('1 x MI300X in pool metal');
  expect(renderNodeGroups(candidate, { namespace: 'chat', name: 'llama-0', deployment: 'llama' })).toEqual([]);
  expect(candidate.nodeTypes).toEqual([
    { instanceType: 'metal', accelerators: 1, allocatableCpu: 12_000, allocatableMemory: 100 * gib, usdPerHour: 2 },
  ]);
});

test('listSources divides a node of a pool evenly, so that no accelerator is left over', () => {
  const counts = (accelerators: number) =>
    listSources(cluster([pool('p', accelerators)]), mi300x).map(({ nodeTypes }) =>
      nodeTypes.map((type) => type.accelerators),
    );
  expect([counts(8), counts(6), counts(1)]).toEqual([[[1, 2, 4, 8]], [[1, 2, 3, 6]], [[1]]]);
});
