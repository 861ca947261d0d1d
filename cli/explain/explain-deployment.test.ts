import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apiVersion, label } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';
import { readObjects } from '../read-objects.ts';
import { explainCandidates } from './explain-candidates.ts';
import { explainMemory } from './explain-memory.ts';
import { explainPrice } from './explain-price.ts';
import { listFlags } from './list-flags.ts';
import { listUnknowns } from './list-unknowns.ts';
import { type DeploymentReading, readDeployment } from './read-deployment.ts';

const hello = readObjects(join(import.meta.dirname, '../../examples/hello'));
const decided = { candidates: [] };

/** The claim of the example with fields of its spec replaced, among the platform objects and the given others. */
function reading(fields: Record<string, unknown>, others: readonly KubernetesObject[] = []): DeploymentReading {
  const claim = hello.find(({ kind }) => kind === 'ModelDeployment');
  const spec = isRecord(claim?.spec) ? claim.spec : {};
  if (claim === undefined) throw new Error('the example has no ModelDeployment');
  const read = readDeployment({ ...claim, status: decided, spec: { ...spec, ...fields } }, [...hello, ...others]);
  if (read === undefined) throw new Error('the spec cannot be read');
  return read;
}

const placement = (...classes: readonly string[]) => ({ placement: { classes } });
const budget = (usdPerHour: number) => ({ budget: { usdPerHour } });
const engine = (...args: readonly string[]) => ({ engine: { image: 'vllm/vllm-openai:v0.19.0', args } });

function replica(status: Record<string, unknown>): KubernetesObject {
  const metadata = { name: 'llama-0', namespace: 'chat', labels: { [label.deployment]: 'llama' } };
  return { apiVersion, kind: 'ModelReplica', metadata, spec: { clusterName: 'europe' }, status };
}

const asia: KubernetesObject = {
  ...(hello.find(({ kind }) => kind === 'InferenceCluster') ?? { apiVersion, kind: 'InferenceCluster', metadata: {} }),
  metadata: { name: 'asia' },
};

describe('explainCandidates', () => {
  test('L7 says why the first, and what the ladder does with the other, with every instance type', () => {
    const { chosen, why, others, refused, unlisted, held } = explainCandidates(reading({}));
    expect({ why, refused, unlisted, held }).toEqual({
      why: ['Class "l4" is the first of spec.placement.classes that holds the model within the budget'],
      refused: [],
      unlisted: [],
      held: false,
    });
    const shown = [chosen, ...others].map((each) => [each?.rung, each?.instanceTypes, each?.place, each?.usdPerHour]);
    expect(shown).toEqual([
      [
        'l4/1x1-tp1-pp1/OnDemand',
        ['g6.xlarge', 'g6.2xlarge'],
        'rung 1 of 2 of the ladder',
        { cheapest: 0.8048, dearest: 0.9776 },
      ],
      ['l40s/1x1-tp1-pp1/OnDemand', ['g6e.xlarge'], 'rung 2 of 2 of the ladder', { cheapest: 1.861, dearest: 1.861 }],
    ]);
  });

  test('L3 groups refusals that say the same, and keeps apart those with another figure', () => {
    const { chosen, refused } = explainCandidates(reading({ ...budget(0.1) }));
    expect(chosen).toBeUndefined();
    expect(refused.map(({ reason, where }) => `${reason} ${where.join(', ')}`)).toEqual([
      'OverBudget l4 (1 x L4)',
      'OverBudget l40s (1 x L40S)',
    ]);
  });

  test('names every candidate of a group once, with its cluster where there are two', () => {
    const { refused } = explainCandidates(reading({ model: { name: 'acme/unknown', facts: { layers: 2 } } }, [asia]));
    expect(refused.map(({ reason, where }) => `${reason}: ${where.join(', ')}`)[0]).toMatch(
      /^Unsupported: l4 \(1 x L4\) on asia, .*l40s \(1 x L40S\) on asia, .*l4 \(1 x L4\) on europe, .*l40s \(1 x L40S\) on europe/,
    );
  });

  test('L3 names the instance type that the budget cuts from a rung', () => {
    expect(explainCandidates(reading({ ...placement('l4'), ...budget(0.9) })).chosen).toMatchObject({
      instanceTypes: ['g6.xlarge'],
      leftOut: ['g6.2xlarge'],
    });
  });

  test('names a class that exists and that the claim does not list', () => {
    expect(explainCandidates(reading(placement('l40s'))).unlisted).toEqual(['l4']);
  });

  test('says of a candidate elsewhere that new replicas go to the first cluster by name', () => {
    const { chosen, others } = explainCandidates(reading(placement('l4'), [asia]));
    expect([chosen?.cluster, ...others.map(({ cluster, place }) => `${cluster}: ${place}`)]).toEqual([
      'asia',
      'europe: new replicas go to cluster "asia", the first by name that can hold the model',
    ]);
  });

  test('L9 takes the rung that a replica has nodes for over the one that is preferred', () => {
    const ladder = [
      { rung: 'l4/1x1-tp1-pp1/OnDemand', state: 'Asked' },
      { rung: 'l40s/1x1-tp1-pp1/OnDemand', state: 'Usable' },
    ];
    const { chosen, why } = explainCandidates(reading({}, [replica({ shape: '1 x L40S', ladder })]));
    expect({ class: chosen?.class, why }).toEqual({
      class: 'l40s',
      why: ['The nodes of 1 x L40S of class "l40s" on cluster "europe" were there first'],
    });
  });

  test('is held while the claim has no verdict of placement', () => {
    const read = reading(placement('l4', 'h100'));
    const { status: _status, ...undecided } = read.xr;
    expect(explainCandidates(readDeployment(undecided, hello) ?? read).held).toBe(true);
  });
});

describe('explainPrice', () => {
  const cases: readonly [string, Record<string, unknown>, readonly KubernetesObject[], Record<string, unknown>][] = [
    [
      'L3 the range of one replica, dated, and the whole budget while nothing is asked',
      {},
      [],
      { oneReplica: { cheapest: 0.8048, dearest: 0.9776 }, asked: 0, budget: 3, left: 3, readOn: '2026-07-20' },
    ],
    [
      'the sum of all replicas, each within its share',
      { replicas: 3 },
      [],
      { replicas: 3, allReplicas: { cheapest: 2.4144, dearest: 2.9328 } },
    ],
    [
      'what the budget has left beside everything that is asked, two rungs at once too',
      {},
      [replica({ usdPerHour: 2.8386 })],
      { asked: 2.8386, budget: 3, left: 0.1614 },
    ],
    [
      'L3 what a claim would cost that the budget refuses',
      budget(0.1),
      [],
      { shape: '1 x L4', oneReplica: { cheapest: 0.8048, dearest: 0.9776 }, left: 0.1 },
    ],
  ];

  test.each(cases)('says %s', (_name, fields, others, expected) => {
    expect(explainPrice(reading(fields, others))).toMatchObject(expected);
  });

  test('has no bound where there is no budget', () => {
    const { budget: bound, left } = explainPrice(reading({ budget: undefined }));
    expect({ bound, left }).toEqual({ bound: undefined, left: undefined });
  });
});

describe('explainMemory', () => {
  test('L4 says whether the bytes of the weights are from the claim or the catalogue', () => {
    const name = 'meta-llama/Llama-3.1-8B-Instruct';
    const weights = (fields: Record<string, unknown>) =>
      explainMemory(reading(fields))?.terms.find((term) => term.name === 'weights');
    expect(weights({})).toMatchObject({ origin: 'file', source: 'shipped catalogue' });
    expect(weights({ model: { name, facts: { weightBytes: 8e9 } } })).toMatchObject({
      origin: 'file',
      source: 'spec.model.facts.weightBytes',
    });
  });

  test('L16 its terms, weights to headroom, sum to what the engine sees', () => {
    const terms = new Map(explainMemory(reading({}))?.terms.map(({ name, gib }) => [name, gib]));
    const { visible = 0, requested, ...rest } = Object.fromEntries(terms);
    expect(requested).toBeGreaterThan(0);
    expect(Object.values(rest).reduce((sum, gib) => sum + gib, 0)).toBeCloseTo(visible, 1);
  });

  test('shows of a claim that fits nowhere the shape that is short of least', () => {
    const read = reading({ load: { contextTokens: 4_000_000 }, placement: { classes: ['l4', 'l40s'], mostNodes: 1 } });
    const memory = explainMemory(read);
    expect(memory).toMatchObject({ verdict: 'Misfit', shape: '1 x L40S' });
    expect(memory?.shortfallGib).toBeGreaterThanOrEqual(0);
  });

  test('names the missing facts and gives no figure where one is unknown', () => {
    const memory = explainMemory(reading({ model: { name: 'acme/unknown', facts: { layers: 2 } } }));
    expect(memory).toMatchObject({ verdict: 'Unsupported', terms: [] });
    expect(memory?.missing).toContain('spec.model.facts.weightBytes');
  });
});

describe('listFlags', () => {
  const setBy = (read: DeploymentReading) =>
    Object.fromEntries(listFlags(read).flags.map(({ flag, value, setBy: by }) => [flag, `${value} ${by}`]));

  test('L18 gives every flag its value, who set it, and a reason', () => {
    const { renderedFor, flags } = listFlags(reading({}));
    expect(renderedFor).toBeUndefined();
    expect(flags.filter(({ reason }) => reason === '' || reason === 'set by this version')).toEqual([]);
    expect(setBy(reading({}))).toMatchObject({
      '--max-model-len': '16384 computed',
      '--tensor-parallel-size': '1 computed',
      '--served-model-name': 'chat/llama computed',
    });
  });

  test("the author's value stands, and the computed reason with it", () => {
    const read = reading(engine('--max-num-seqs', '32', '--enable-prefix-caching', '--port=9000'));
    expect(setBy(read)).toMatchObject({
      '--max-num-seqs': '32 author',
      '--enable-prefix-caching': ' author',
      '--port': '9000 author',
    });
    const port = listFlags(read).flags.find(({ flag }) => flag === '--port');
    expect(port?.reason).toBe(
      'spec.engine.args sets it; "8000" was computed: the port that the Service, the probes and the scraper ask',
    );
  });

  test('S5 shows what was rendered once something is, and not what this version would render', () => {
    const args = ['meta-llama/Llama-3.1-8B-Instruct', '--max-num-seqs=4', '--old-flag=1'];
    const read = reading({}, [replica({ engine: { args } })]);
    expect(listFlags(read).renderedFor).toBe('llama-0');
    expect(setBy(read)).toEqual({ '--max-num-seqs': '4 computed', '--old-flag': '1 computed' });
  });
});

describe('listUnknowns', () => {
  const commit =
    'The commit of "meta-llama/Llama-3.1-8B-Instruct": replicas load the newest at each start; set spec.model.revision';
  const unpriced = hello.map((object) =>
    object.kind === 'InferenceClass' && object.metadata.name === 'l40s' ? withoutPrices(object) : object,
  );

  test('names the commit that is not pinned', () => {
    expect(listUnknowns(reading({}))).toEqual([commit]);
  });

  test('names an Unknown condition of a replica with its reason, and no refusal, which is said elsewhere', () => {
    const conditions = [
      { type: 'Placed', status: 'Unknown', reason: 'NotObserved', message: 'its node is not Ready' },
      { type: 'Fits', status: 'Unknown', reason: 'Unsupported', message: 'unknown layers' },
      { type: 'EngineReady', status: 'False', reason: 'NotPlaced', message: 'no workload' },
    ];
    expect(listUnknowns(reading({}, [replica({ conditions })]))).toEqual([
      'ModelReplica "llama-0" Placed=Unknown NotObserved: its node is not Ready',
      commit,
    ]);
  });

  test('names a field that does not act yet', () => {
    const { xr, ...read } = reading({});
    const conditions = [{ type: 'EveryFieldActs', status: 'False', reason: 'FieldNotActing', message: 'Cannot act' }];
    const status = { ...(xr.status as object), conditions };
    expect(listUnknowns({ ...read, xr: { ...xr, status } })).toEqual(['FieldNotActing: Cannot act', commit]);
  });

  test('names node types without a price', () => {
    const claim = reading({ model: { name: 'meta-llama/Llama-3.1-8B-Instruct', revision: 'abc' } }).xr;
    const read = readDeployment(claim, unpriced);
    expect(read === undefined ? [] : listUnknowns(read)).toEqual([
      'Price of g6e.xlarge: set usdPerHour in InferenceClass "l40s"',
    ]);
  });
});

/** A class of which no node type has a price. */
function withoutPrices(object: KubernetesObject): KubernetesObject {
  return JSON.parse(JSON.stringify(object).replace(/,"usdPerHour":[\d.]+/g, ''));
}
