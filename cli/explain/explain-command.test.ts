import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { isRecord, type KubernetesObject, readList, readPath } from '../../domain/kubernetes/object.ts';
import { modelberth, runVerb } from '../../test/run-verb.ts';
import { renderClaims } from '../render/render-claims.ts';
import { UnreadableInput } from '../unreadable.ts';
import { explainCommand } from './explain-command.ts';
import { type Explanation, explainWorld } from './explain-world.ts';
import { printExplanation } from './print-explanation.ts';

const root = join(import.meta.dirname, '../..');
const hello = join(root, 'examples/hello');
const moment = '2026-12-01T12:00:00Z';
const at = ['--now', moment];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'explain-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function explain(path: string, ...args: readonly string[]) {
  return runVerb(explainCommand, ['-f', path, ...args]);
}

/** A copy of the example with texts of its claim replaced. */
function edited(name: string, ...edits: readonly (readonly [string, string])[]): string {
  const copy = join(folder, name.replaceAll(' ', '-'));
  cpSync(hello, copy, { recursive: true });
  const claim = join(copy, '2-claim.yaml');
  for (const [from, to] of edits) {
    const written = readFileSync(claim, 'utf8');
    if (!written.includes(from)) throw new Error(`the claim has no "${from}"`);
    writeFileSync(claim, written.replace(from, to));
  }
  return copy;
}

function write(name: string, ...objects: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, objects.map((object) => `---\n${stringify(object)}`).join(''));
  return path;
}

test('modelberth explain of the example reads well at 100 columns', async () => {
  const { code, out } = await explain(hello, ...at);
  expect(code).toBe(0);
  expect(out).toMatchInlineSnapshot(`
    "ModelDeployment chat/llama  meta-llama/Llama-3.1-8B-Instruct on 1 x L4 of class "l4" on cluster
      "europe", engine vllm/vllm-openai:v0.19.0

    Why this shape
      Class "l4" is the first of spec.placement.classes that holds the model within the budget

    Why not the others
      l40s (1 x L40S) on europe: rung 2 of 2 of the ladder; fits, 12.3 requests at once; USD 1.86/h

    Memory of each L4, 1 x L4 of class "l4"
      Fits: 36240 tokens of KV cache, 2.2 requests of 16384 tokens at once
      [WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWANKKKKKKKKKKKKKKKKKKK..........]
      W weights        14.99 GiB  file: shipped catalogue
      A activation      0.26 GiB  formula
      N non-torch       0.15 GiB  formula
      G CUDA graphs     0.00 GiB  formula
      K KV cache        4.43 GiB  formula
      . headroom        2.20 GiB  default
      The engine sees 22.03 GiB (hardware) and takes 19.83 GiB of it (default)

    Price, on demand, read 2026-07-20
      One replica, 1 x L4: USD 0.80/h on the cheapest node type, USD 0.98/h on the dearest
      Asked for now: USD 0.98/h, each rung at its dearest type
      Budget: USD 3.00/h, of which USD 2.02/h is left

    The load, cheapest first
      2 requests at once in each replica: spec.load.concurrentRequests is 2
      l4 (1 x L4) on europe: 1 replica, USD 0.98/h, about 25 tokens/s (estimate)
      l40s (1 x L40S) on europe: 1 replica, USD 1.86/h, about 71 tokens/s (estimate)

    Ladder of replica llama-0 on cluster "europe"
      l4/1x1-tp1-pp1/OnDemand    Asked  0 of 1 nodes  USD 0.98/h
      l40s/1x1-tp1-pp1/OnDemand  Free   0 of 1 nodes  USD 1.86/h
      Next: at 12 min without a node, ask g6e.xlarge beside it (USD 1.86/h; both 2.84, within the
        budget of 3.00). That is 2026-12-01T12:12:00Z, in 12 min

    Engine flags, not rendered yet
      --gpu-memory-utilization=0.9  computed: a tenth of the memory is left for the context, graphs
        and the peaks of a running engine (L17, L18)
      --kv-cache-dtype=auto  computed: the precision of the model; the checkpoint carries no other for
        its cache
      --max-cudagraph-capture-size=8  computed: the next size that holds every sequence and what is
        drafted for it; larger graphs only cost memory
      --max-model-len=16384  computed: spec.load.contextTokens; a longer request would take the cache
        of others
      --max-num-batched-tokens=2048  computed: pinned, so that the activation does not depend on the
        accelerator
      --max-num-seqs=8  computed: spec.load.concurrentRequests is 2, a quarter above, rounded up to a
        power of two; each sequence costs sampler and graph memory (L18)
      --override-generation-config={"max_new_tokens":4096}  computed: one unbounded request fragmented
        a card until it ran out of memory (L17)
      --pipeline-parallel-size=1  computed: stages of the shape 1 x L4
      --port=8000  computed: the port that the Service, the probes and the scraper ask
      --served-model-name=chat/llama  computed: the name by which the gateway asks, whatever the
        service is called
      --tensor-parallel-size=1  computed: accelerators of a stage of the shape 1 x L4
      --uvicorn-log-level=warning  computed: without it 99.5% of a kept log was the scraper (L38)

    Unknown
      The commit of "meta-llama/Llama-3.1-8B-Instruct": replicas load the newest at each start; set
        spec.model.revision

    ModelService chat/llama  callers send model "chat/llama" to gateway "inference", which asks llama

    Stream path
      HOP            LIMITS     VALUE    SET BY
      load balancer  silence    unknown  no load balancer is rendered yet;
                                         spec.loadBalancer.idleTimeoutSeconds declares 6000 s
      gateway pods   leaving    3600 s   EnvoyProxy/inference spec.shutdown.drainTimeout
      listener       silence    3600 s   ClientTrafficPolicy/inference
                                         spec.timeout.http.streamIdleTimeout
      route          the whole  none     AIGatewayRoute/llama spec.rules[0].timeouts.request
      policy         silence    3600 s   BackendTrafficPolicy/inference
                                         spec.timeout.http.streamIdleTimeout
      engine         leaving    unknown  no engine is rendered before its node is there
      Smallest: a stream that is silent for 3600 s is cut, by listener, policy
      Smallest: a stream that runs while its hop leaves has 3600 s to end, at gateway pods
      No hop limits the whole of a stream

    Unknown
      InferenceGateway "inference" Secured=Unknown WaitingForPolicies: Cannot secure gateway
        "inference": "BackendTrafficPolicy/inference", "BackendTrafficPolicy/inference-auth-pin",
        "ClientTrafficPolicy/inference", "SecurityPolicy/inference-auth-pin",
        "SecurityPolicy/inference-deny" and 1 more not accepted yet
      The limit of the load balancer: its object is not rendered yet
      The limit of the engine: its object is not rendered yet

    Assumed: every optional part of the cluster is installed
    "
  `);
});

test('no line is longer than the width where the words allow it, nor has colour, at any width from 80', async () => {
  const explanation = explainWorld(await renderClaims({ file: hello, now: new Date(moment) }), new Date(moment));
  for (const width of [80, 100, 132, 200]) {
    const lines = printExplanation(explanation, width).split('\n');
    expect(lines.filter((line) => line.length > width)).toEqual([]);
    expect(lines.filter((line) => line.includes('\u001b') || line !== line.trimEnd())).toEqual([]);
  }
});

describe('modelberth explain -o json', () => {
  test('has the same facts under stable names', async () => {
    const { code, out } = await explain(hello, ...at, '-o', 'json');
    const printed: unknown = JSON.parse(out);
    expect(code).toBe(0);
    expect(fieldsOf(printed, 3)).toMatchInlineSnapshot(`
      {
        "deployments": [
          {
            "candidates": {
              "chosen": "cluster class shape rung instanceTypes leftOut usdPerHour concurrency tight place",
              "held": "boolean",
              "others": [
                "cluster class shape rung instanceTypes leftOut usdPerHour concurrency tight place",
              ],
              "refused": [],
              "unlisted": [],
              "why": [
                "string",
              ],
            },
            "engine": {
              "flags": [
                "flag value setBy reason",
              ],
            },
            "engineImage": "string",
            "ladders": [
              {
                "cluster": "string",
                "next": "string",
                "nextAt": "string",
                "nextInMinutes": "number",
                "replica": "string",
                "rungs": [
                  "rung state nodes usdPerHour",
                ],
              },
            ],
            "load": {
              "over": "string",
              "ranked": [
                "class shape cluster replicas usdPerHour estimatedTokensPerSecond",
              ],
              "requests": "number",
              "rule": "string",
            },
            "memory": {
              "accelerator": "string",
              "class": "string",
              "concurrency": "number",
              "contextTokens": "number",
              "kvTokens": "number",
              "missing": [],
              "shape": "string",
              "terms": [
                "name gib origin source",
              ],
              "tight": "boolean",
              "verdict": "string",
              "warnings": [],
            },
            "model": "string",
            "name": "string",
            "namespace": "string",
            "price": {
              "allReplicas": "cheapest dearest",
              "asked": "number",
              "budget": "number",
              "left": "number",
              "market": "string",
              "oneReplica": "cheapest dearest",
              "readOn": "string",
              "replicas": "number",
              "shape": "string",
            },
            "problems": [],
            "unknown": [
              "string",
            ],
          },
        ],
        "now": "string",
        "problems": [],
        "refused": "boolean",
        "services": [
          {
            "deployments": [
              "string",
            ],
            "gateway": "string",
            "model": "string",
            "name": "string",
            "namespace": "string",
            "problems": [],
            "stream": {
              "hops": [
                "hop limits state setBy",
              ],
              "smallest": [
                "limits seconds hops",
              ],
              "unknown": [
                "string",
              ],
            },
            "unknown": [
              "string",
            ],
          },
        ],
        "settled": "boolean",
        "unknownNames": [],
      }
    `);
  });

  test('S3 is the same for the same time', async () => {
    expect(await explain(hello, ...at, '-o', 'json')).toEqual(await explain(hello, ...at, '-o', 'json'));
  });
});

/** The fields of a value to a depth, lists by their first item. */
function fieldsOf(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [fieldsOf(value[0], depth)];
  if (!isRecord(value)) return typeof value;
  if (depth === 0) return Object.keys(value).join(' ');
  return Object.fromEntries(Object.entries(value).map(([field, child]) => [field, fieldsOf(child, depth - 1)]));
}

const claims: readonly [string, readonly (readonly [string, string])[]][] = [
  ['the example', []],
  ['a budget that cuts a node type', [['usdPerHour: 3.00', 'usdPerHour: 0.90']]],
  ['a budget that refuses everything', [['usdPerHour: 3.00', 'usdPerHour: 0.10']]],
  ['three replicas that share the budget', [['usdPerHour: 3.00', 'usdPerHour: 4.00\n  replicas: 3']]],
  ['a context that the small class cannot hold', [['contextTokens: 16384', 'contextTokens: 131072']]],
  ['a model that nobody knows', [['Llama-3.1-8B-Instruct', 'Llama-9-Nothing']]],
];

test.each(claims)('S5 explain judges as the function does: %s', async (name, edits) => {
  const result = await renderClaims({ file: edited(`same ${name}`, ...edits), now: new Date(moment) });
  const deployment = result.outputs.find(({ composite }) => composite.kind === 'ModelDeployment')?.composite;
  const status = readList(deployment, ['status', 'candidates']).filter(isRecord);
  const judged = explainWorld(result, new Date(moment)).deployments[0]?.candidates;
  const allowed = [judged?.chosen, ...(judged?.others ?? [])].filter((candidate) => candidate !== undefined);
  expect(allowed.map(({ class: hardware, shape, usdPerHour }) => [hardware, shape, usdPerHour?.dearest])).toEqual(
    status.filter(({ verdict }) => verdict === 'Allowed').map((row) => [row.class, row.shape, row.usdPerHour]),
  );
  const refused = judged?.refused.flatMap(({ reason, message, where }) =>
    where.map((place) => [place, reason, message]),
  );
  const refusals = status.filter(({ verdict }) => verdict !== 'Allowed');
  expect([...(refused ?? [])].sort()).toEqual(
    refusals.map((row) => [`${String(row.class)} (${String(row.shape)})`, row.verdict, row.message]).sort(),
  );
});

describe('modelberth explain with what is observed', () => {
  /** The example as a minute before its node joined, and the node. */
  async function joined(): Promise<readonly string[]> {
    const result = await renderClaims({ file: hello, now: new Date(moment) });
    const group = result.outputs.flatMap(({ composed }) => composed).find(({ kind }) => kind === 'NodeGroup');
    if (group === undefined) throw new Error('the example composes no NodeGroup');
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'a', labels: { ...nodeLabels(group), 'eks.amazonaws.com/nodegroup': group.metadata.name } },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    };
    return ['--observed', write('observed.yaml', group), '--required', write('required.yaml', node)];
  }

  function nodeLabels(group: KubernetesObject): Record<string, unknown> {
    const labels = readPath(group, ['spec', 'forProvider', 'labels']);
    return isRecord(labels) ? labels : {};
  }

  test('S5 reads the flags and the grace period from the engine that is rendered once its node is there', async () => {
    const { out } = await explain(hello, ...at, ...(await joined()), '-o', 'json');
    const { deployments, services } = JSON.parse(out) as Explanation;
    const [deployment] = deployments;
    expect(deployment?.engine?.renderedFor).toBe('llama-0');
    expect(deployment?.ladders.map(({ rungs }) => rungs.map(({ state, nodes }) => `${state} ${nodes}`))).toEqual([
      ['Usable 1 of 1', 'Free 0 of 1'],
    ]);
    expect(services[0]?.stream.hops.at(-1)).toMatchObject({
      hop: 'engine',
      state: 'Rendered',
      seconds: expect.any(Number),
      setBy: 'Deployment/llama-0 spec.template.spec.terminationGracePeriodSeconds',
    });
    expect(services[0]?.stream.unknown).toEqual(['load balancer']);
  });
});

const refused: readonly [string, readonly (readonly [string, string])[], RegExp][] = [
  [
    'the budget is too small',
    [['usdPerHour: 3.00', 'usdPerHour: 0.10']],
    /No shape: every candidate is refused .*raise spec\.budget/,
  ],
  ['a class is misspelt', [['[l4, l40s]', '[l4, l40x]']], /classes\[1\] names "l40x".*did you mean "l40s"\?/],
  ['a gateway is misspelt', [['gatewayName: inference', 'gatewayName: infrence']], /did you mean "inference"\?/],
  [
    'a deployment of a service is misspelt',
    [['deploymentName: llama', 'deploymentName: lama']],
    /did you mean "llama"\?/,
  ],
  ['a model is misspelt', [['8B-Instruct', '8B-Instuct']], /did you mean "meta-llama\/Llama-3\.1-8B-Instruct"\?/],
  [
    'a field has the wrong type',
    [['contextTokens: 16384', 'contextTokens: plenty']],
    /InvalidSpec: .*spec\.load\.contextTokens/,
  ],
];

test.each(refused)('modelberth explain gives 1 and says why when %s', async (name, edits, message) => {
  const { code, out } = await explain(edited(name, ...edits), ...at);
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(message);
  expect(code).toBe(1);
});

describe('modelberth explain refuses its input and names the fix when', () => {
  const wrong: readonly [string, () => readonly [string, ...string[]], RegExp][] = [
    [
      'a field is misspelt',
      () => [edited('misspelt', ['contextTokens', 'contextToken'])],
      /spec\.load\.contextToken is no field; did you mean "contextTokens"\?$/,
    ],
    ['there is no such file', () => [join(folder, 'no.yaml')], /there is no such file or folder$/],
    ['the time is none', () => [hello, '--now', 'soon'], /^Cannot read --now "soon": write a time such as /],
    ['S4 the time has no zone', () => [hello, '--now', '2026-12-01T12:00:00'], /^Cannot read --now /],
  ];
  test.each(wrong)('%s', async (_name, prepare, message) => {
    const run = explain(...prepare());
    await expect(run).rejects.toThrow(UnreadableInput);
    await expect(run).rejects.toThrow(message);
  });

  test('the format is unknown', async () => {
    await expect(explain(hello, '-o', 'xml')).rejects.toThrow(CommanderError);
  });
});

describe('the command ends with', { timeout: 30_000 }, () => {
  const runs: readonly [string, () => readonly string[], number, RegExp, RegExp][] = [
    ['0 and the text', () => ['explain', '-f', hello, ...at], 0, /^ModelDeployment chat\/llama/, /^$/],
    [
      '1 and the reason when a claim is refused',
      () => ['explain', '-f', edited('refused', ['usdPerHour: 3.00', 'usdPerHour: 0.10']), ...at],
      1,
      /every candidate is refused/,
      /^$/,
    ],
    [
      '2 and one line when its input cannot be read',
      () => ['explain', '-f', join(folder, 'no.yaml')],
      2,
      /^$/,
      /^error: Cannot read ".*no\.yaml": there is no such file or folder\n$/,
    ],
    ['0 and an example for --help', () => ['explain', '--help'], 0, /modelberth explain -f examples\/hello\n/, /^$/],
  ];
  test.each(runs)('%s', async (_name, args, code, out, err) => {
    const run = await modelberth(...args());
    expect(run).toEqual({ code, out: expect.stringMatching(out), err: expect.stringMatching(err) });
  });
});
