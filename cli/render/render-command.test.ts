import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { isKubernetesObject, isRecord, readList, readPath } from '../../domain/kubernetes/object.ts';
import { modelberth, runVerb } from '../../test/run-verb.ts';
import { UnreadableInput } from '../unreadable.ts';
import { renderCommand } from './render-command.ts';

const root = join(import.meta.dirname, '../..');
const hello = join(root, 'examples/hello');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function render(path: string, ...args: readonly string[]) {
  return runVerb(renderCommand, ['-f', path, ...args]);
}
const at = ['--now', '2026-12-01T12:00:00Z'];

/** A copy of the example with a text of its claim replaced. */
function edited(name: string, from: string, to: string): string {
  const copy = join(folder, name);
  cpSync(hello, copy, { recursive: true });
  const claim = join(copy, '2-claim.yaml');
  const written = readFileSync(claim, 'utf8');
  if (!written.includes(from)) throw new Error(`the claim has no "${from}"`);
  writeFileSync(claim, written.replace(from, to));
  return copy;
}

/** Values that are secret: the key that render makes, as it is and as a Secret holds it. */
const secret = 'a-random-key-is-made-when-this-is-applied';
const secrets = [secret, Buffer.from(secret).toString('base64')];

describe('modelberth render of the example', () => {
  test('gives 0 and YAML that holds every XR once and no secret', async () => {
    const { code, out } = await render(hello, ...at, '-o', 'yaml');
    expect(code).toBe(0);
    const objects = parseAllDocuments(out).map((document): unknown => document.toJS());
    expect(objects.filter((object) => !isKubernetesObject(object))).toEqual([]);
    const kinds = objects.filter(isKubernetesObject).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'ModelReplica')).toEqual(['ModelReplica']);
    expect(kinds).toEqual(expect.arrayContaining(['NodeGroup', 'AIGatewayRoute', 'Secret']));
    expect(secrets.filter((value) => out.includes(value))).toEqual([]);
    expect(out).toContain('redacted');
  });

  test('gives JSON with every output, that it settled, and no secret', async () => {
    const { code, out } = await render(hello, ...at, '-o', 'json');
    const printed: unknown = JSON.parse(out);
    expect({ code, settled: readPath(printed, ['settled']) }).toEqual({ code: 0, settled: true });
    const outputs = readList(printed, ['outputs']).filter(isRecord);
    expect(outputs.map((output) => readPath(output, ['composite', 'kind']))).toEqual([
      'InferenceClass',
      'InferenceClass',
      'InferenceCluster',
      'InferenceGateway',
      'ModelDeployment',
      'ModelReplica',
      'ModelService',
    ]);
    expect(secrets.filter((value) => out.includes(value))).toEqual([]);
  });

  test('S3 gives the same for the same time', async () => {
    expect(await render(hello, ...at)).toEqual(await render(hello, ...at));
  });
});

describe('modelberth render of what exists', () => {
  const served = join(root, 'test/render/cases/replica/7-engine-ready');
  const live = ['--observed', join(served, 'observed.yaml'), '--required', join(served, 'required.yaml')];

  test('S5 shows a node that joined and an engine that answers', async () => {
    const { code, out } = await render(hello, ...at, ...live);
    expect(code).toBe(0);
    expect(out).toMatch(/^llama-0-l4-\S+ +NodeGroup +Serving /m);
    expect(out).toMatch(/^llama-0 +Deployment +Ready +answers on revision /m);
  });

  test('S1 refuses observed objects without their owner, that would count as not there', async () => {
    const orphans = join(folder, 'orphans.yaml');
    const written = readFileSync(join(served, 'observed.yaml'), 'utf8');
    writeFileSync(
      orphans,
      written.replaceAll('controller: true', 'controller: false').replaceAll(/^.*crossplane.io\/composite:.*\n/gm, ''),
    );
    await expect(render(hello, ...at, '--observed', orphans)).rejects.toThrow(
      /^Cannot render ".*orphans\.yaml": \w+ "llama-0.*": the owner reference with controller true is missing/,
    );
  });
});

test('L3 of two claims in a namespace with a cap the second is refused with the sum', async () => {
  const capped = join(folder, 'capped');
  cpSync(hello, capped, { recursive: true });
  const platform = readFileSync(join(capped, '1-platform.yaml'), 'utf8');
  const guarded = platform.replace(
    /(kind: InferenceCluster\n(?:.*\n)*?spec:\n)/,
    '$1  guardrails: { perNamespace: { usdPerHour: 1.5 } }\n',
  );
  writeFileSync(join(capped, '1-platform.yaml'), guarded);
  const claim = readFileSync(join(capped, '2-claim.yaml'), 'utf8');
  writeFileSync(join(capped, '3-second.yaml'), claim.replaceAll(/(name|deploymentName): llama$/gm, '$1: second'));
  const { code, out } = await render(capped, ...at);
  expect(code).toBe(1);
  expect(out.match(/NodeGroup/g)).toHaveLength(1);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'ModelReplica second-0: Placed=False GuardrailRefused: Cannot place "meta-llama/Llama-3.1-8B-Instruct": l4 (1 x L4) costs USD 0.98/h beside USD 0.98/h of other replicas, together USD 1.96/h, and InferenceCluster "europe" allows namespace "chat" USD 1.50/h: ',
  );
});

test('L3 a second MiMo on the larger node is refused with the sum, before anything is asked for', async () => {
  const poc = join(folder, 'poc');
  cpSync(join(root, 'examples/poc-2'), poc, { recursive: true });
  const [claim = ''] = readFileSync(join(poc, '2-claims.yaml'), 'utf8').split('\n---\n');
  const second = claim.replace('name: mimo\n', 'name: second\n').replace('prefer: FewestNodes', 'mostNodes: 1');
  writeFileSync(join(poc, '3-second.yaml'), second);
  const { code, out } = await render(poc, ...at);
  expect(code).toBe(1);
  const said = out.replaceAll(/\s+/g, ' ');
  expect(said).toContain('ModelReplica second-0: Placed=False GuardrailRefused: Cannot place');
  expect(said).toContain(
    'costs USD 8.29/h beside USD 11.29/h of other replicas, together USD 19.58/h, and InferenceCluster "europe" allows namespace "coding" USD 18.50/h',
  );
});

test('L3 with a larger model in the place of MiMo the pair is refused with the sum', async () => {
  const pair = join(folder, 'larger-pair');
  cpSync(join(root, 'examples/poc-2'), pair, { recursive: true });
  const claims = readFileSync(join(pair, '2-claims.yaml'), 'utf8');
  // 309B parameters in FP8 beside the sibling; both claims stay within budgets of their own.
  const larger = claims
    .replace('XiaomiMiMo/MiMo-V2.6-Flash\n', 'XiaomiMiMo/MiMo-V2-Flash\n    facts: { weightBytes: 328000000000 }\n')
    .replace('usdPerHour: 16.00', 'usdPerHour: 17.00');
  writeFileSync(join(pair, '2-claims.yaml'), larger);
  const { code, out } = await render(pair, ...at);
  expect(code).toBe(1);
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(
    /costs USD 3\.00\/h beside USD 16\.57\/h of other replicas, together USD 19\.58\/h, and InferenceCluster "europe" allows namespace "coding" USD 18\.50\/h/,
  );
});

describe('modelberth render gives 1 and says why when', () => {
  const refused: readonly [string, string, string, RegExp][] = [
    [
      'the budget is too small',
      'usdPerHour: 3.00',
      'usdPerHour: 0.10',
      /Placed=False OverBudget: .*raise spec\.budget\.usdPerHour/,
    ],
    [
      'no class holds the model',
      'meta-llama/Llama-3.1-8B-Instruct',
      'Qwen/Qwen3-32B',
      /Fits=False Misfit: Each L4 is short by/,
    ],
    [
      'nobody knows the model',
      'meta-llama/Llama-3.1-8B-Instruct',
      'nobody/knows-this',
      /Fits=Unknown Unsupported: .*spec\.model\.facts/,
    ],
    [
      'a service names a deployment that was not given',
      'deploymentName: llama',
      'deploymentName: lama',
      /ModelService "llama": spec\.routes\[0\]\.deploymentName names "lama", and there is no ModelDeployment of namespace "chat" of that name; did you mean "llama"\?/,
    ],
    ['a class does not exist', 'classes: [l4, l40s]', 'classes: [l4, h100]', /Placed=Unknown ClassMissing: .*"h100"/],
    [
      'a field has the wrong type',
      'contextTokens: 16384',
      'contextTokens: plenty',
      /InvalidSpec: .*spec\.load\.contextTokens/,
    ],
  ];
  test.each(refused)('%s', async (name, from, to, message) => {
    const { code, out } = await render(edited(name.replaceAll(' ', '-'), from, to), ...at);
    expect(code).toBe(1);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(message);
  });
});

describe('modelberth render refuses its input and names the fix when', () => {
  const wrong: readonly [string, () => readonly [string, ...string[]], RegExp][] = [
    [
      'a field is misspelt',
      () => [edited('misspelt', 'contextTokens', 'contextToken')],
      /^Cannot render ".*": ModelDeployment "llama": spec\.load\.contextToken is no field; did you mean "contextTokens"\?$/,
    ],
    ['spec itself is misspelt', () => [edited('spec', 'spec:', 'sepc:')], /sepc is no field; did you mean "spec"\?$/],
    [
      'the version of the API is not ours',
      () => [edited('version', 'modelberth.dev/v1alpha1', 'modelberth.dev/v1')],
      /"modelberth\.dev\/v1".*modelberth\.dev\/v1alpha1/,
    ],
    [
      'there is no such file',
      () => [join(folder, 'no.yaml')],
      /^Cannot read ".*no\.yaml": there is no such file or folder$/,
    ],
    [
      'a claim has no namespace',
      () => [edited('homeless', '  namespace: chat\n', '')],
      /ModelDeployment "llama": metadata\.namespace is missing or no text/,
    ],
    ['there is no claim', () => [noClaim()], /^Cannot render ".*": it has no claim; write one of InferenceClass, /],
    [
      'the time is none',
      () => [hello, '--now', 'soon'],
      /^Cannot read --now "soon": write a time such as 2026-12-01T10:00:00Z$/,
    ],
    [
      'S4 the time has no zone, so that it would be another one elsewhere',
      () => [hello, '--now', '2026-12-01T12:00:00'],
      /^Cannot read --now /,
    ],
    [
      'the time is a number',
      () => [hello, '--now', '5'],
      /^Cannot read --now "5": write a time such as 2026-12-01T10:00:00Z$/,
    ],
  ];
  test.each(wrong)('%s', async (_name, prepare, message) => {
    const run = render(...prepare());
    await expect(run).rejects.toThrow(UnreadableInput);
    await expect(run).rejects.toThrow(message);
  });

  test.each([
    ['the format is unknown', ['-o', 'xml']],
    ['a flag is unknown', ['--observe', 'live']],
  ])('%s', async (_name, args) => {
    await expect(render(hello, ...args)).rejects.toThrow(CommanderError);
  });
});

function noClaim(): string {
  const path = join(folder, 'node.yaml');
  writeFileSync(path, 'apiVersion: v1\nkind: Node\nmetadata: { name: a }\n');
  return path;
}

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The folder that the first command of the README renders, and what the README shows of it. */
function firstOfReadme(): { readonly example?: string | undefined; readonly sample?: string | undefined } {
  const example = /\nnpm ci\nnpx modelberth render -f (\S+)\n```/.exec(readme)?.[1];
  return { example, sample: /```\n(mimo {2}[^`]*)\n```/.exec(readme)?.[1] };
}

describe('the command ends with', { timeout: 30_000 }, () => {
  test('0 and the table', async () => {
    const { code, out, err } = await modelberth('render', '-f', hello, ...at);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "llama  Llama-3.1-8B-Instruct on 1 x L4   Fit: weights 15.0 + KV 4.4 + other 0.4 of 22.0 GiB; 36k
        tokens, 2.2x at 16k   USD 0.80/h (2026-07-20)
      RESOURCE             KIND            STATE       WHY
      llama-0-l4-d41fc1ae  NodeGroup       Asked       g6.xlarge, g6.2xlarge on-demand, 3 zones; 0 of 1
                                                       node joined
      llama-0              Deployment      Planned     composed when its nodes are there; strategy
                                                       Recreate (no spare accelerator)
      llama                AIGatewayRoute  NoEndpoint  answers 503: no ready replica
      7 more                               Created     AIServiceBackend, Backend, BackendTrafficPolicy,
                                                       NetworkPolicy, PodDisruptionBudget, PodMonitor,
                                                       Service
      Next: at 12 min without a node, ask g6e.xlarge beside it (USD 1.86/h; both 2.84, within the budget
        of 3.00)

      inference  InferenceGateway
      RESOURCE                KIND        STATE    WHY
      inference               EnvoyProxy  Waiting  no address until every policy is accepted and the
                                                   certificate is issued
      inference               Gateway     Planned  composed last, when its policies and parts exist
      inference-keys-callers  Secret      Planned  composed when there are keys for it
      13 more                             Created  AIGatewayRoute, 2 BackendTrafficPolicy, Certificate,
                                                   ClientTrafficPolicy, GatewayConfig, 2 HTTPRoute,
                                                   PodMonitor, Secret, 3 SecurityPolicy

      Settled after 4 rounds; every optional part of the cluster is assumed to be installed
      "
    `);
    expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  test('0 and what the README shows: for each service of poc-2 its pool, its workload, its route, and why', async () => {
    const { example, sample } = firstOfReadme();
    expect(example).toBe('examples/poc-2');
    const { code, out, err } = await modelberth('render', '-f', join(root, 'examples/poc-2'), ...at);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [mimo = '', qwen = ''] = out.split('\n\n');
    expect(mimo).toBe(sample);
    for (const [name, table] of [['mimo', mimo] as const, ['qwen', qwen] as const]) {
      expect(table).toMatch(new RegExp(`^${name}-0-\\S+ +NodeGroup +Asked +\\S.* on-demand`, 'm'));
      expect(table).toMatch(new RegExp(`^${name}-0 +Deployment +Planned +composed when`, 'm'));
      expect(table).toMatch(new RegExp(`^${name} +AIGatewayRoute +NoEndpoint +answers 503: no ready replica`, 'm'));
    }
  });

  const no = () => join(folder, 'no.yaml');
  const runs: readonly [string, () => readonly string[], number, RegExp, RegExp][] = [
    [
      '1 and the reason when a claim is refused',
      () => ['render', '-f', edited('refused', 'usdPerHour: 3.00', 'usdPerHour: 0.10'), ...at],
      1,
      /OverBudget/,
      /^$/,
    ],
    [
      '2 and one line when its input cannot be read',
      () => ['render', '-f', no()],
      2,
      /^$/,
      /^error: Cannot read ".*no\.yaml": there is no such file or folder\n$/,
    ],
    [
      '2 and one line when a flag is missing',
      () => ['render'],
      2,
      /^$/,
      /^error: required option '-f, --filename <path>' not specified\n$/,
    ],
    [
      '2 and a suggestion when the verb is misspelt',
      () => ['rendr'],
      2,
      /^$/,
      /^error: unknown command 'rendr'\n\(Did you mean render\?\)\n$/,
    ],
    [
      '0 and an example of each verb for --help',
      () => ['--help'],
      0,
      /modelberth render -f examples\/hello\n[\s\S]*modelberth explain -f[\s\S]*modelberth serve placement/,
      /^$/,
    ],
  ];
  test('0 and silence when its reader has seen enough', async () => {
    const command = `set -o pipefail; "${process.execPath}" bin/modelberth.js render -f examples/hello -o json | head -c 1`;
    const child = spawn('bash', ['-c', command], { cwd: root });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    expect({ code, out, err }).toEqual({ code: 0, out: '{', err: '' });
  });

  test.each(runs)('%s', async (_name, args, code, out, err) => {
    const run = await modelberth(...args());
    expect(run).toEqual({ code, out: expect.stringMatching(out), err: expect.stringMatching(err) });
  });
});
