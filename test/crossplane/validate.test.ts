import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isKubernetesObject, isRecord, type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import { askedManifest, isWrapped, seenManifest } from '../../domain/kubernetes/remote/remote-object.ts';
import { isClusterScoped } from '../render/lint-rendered.ts';
import { type RenderCase, readCases, readExpected, readObjects, root } from '../render/read-cases.ts';
import { listExamples, renderExample } from '../render/render-examples.ts';
import { readToolbox } from './toolbox.ts';
import { validate } from './validate.ts';

const toolbox = readToolbox();
const cases = readCases();
/** A case about an unreadable object holds one that no cluster would. */
const readable = cases.filter(({ name }) => !name.includes('unreadable'));
const examples = listExamples();
const authored = [...yamlFiles('examples'), ...yamlFiles('compositions'), ...yamlFiles('apis')];

/** The YAML files under a folder, as paths from the root of the repository. */
function yamlFiles(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const paths = files.filter((file) => file.endsWith('.yaml')).map((file) => join(folder, file));
  return paths.sort();
}

/** The XR with the status that it gets, and everything that it composes. */
function rendered(renderCase: RenderCase): readonly KubernetesObject[] {
  const expected = readExpected(renderCase);
  const status = isRecord(expected.composite) ? expected.composite.status : undefined;
  const composed = readList(expected, ['composed']).filter(isKubernetesObject);
  return [{ ...renderCase.xr, ...(status === undefined ? {} : { status }) }, ...composed];
}

/** Every XR of an example with the status that it gets, and everything that they compose. */
async function renderedExample(folder: string): Promise<readonly KubernetesObject[]> {
  const { outputs } = await renderExample(folder);
  return outputs.flatMap(({ composite, composed }) => [composite, ...composed]);
}

/** An object with a time in every condition: core adds it, and the cases leave it out. */
function withTimes(object: KubernetesObject): KubernetesObject {
  const { status } = object;
  if (!isRecord(status) || !Array.isArray(status.conditions)) return object;
  const lastTransitionTime = '2026-12-01T12:00:00Z';
  const conditions = status.conditions.map((condition) => ({ lastTransitionTime, ...condition }));
  return { ...object, status: { ...status, conditions } };
}

/** The objects with what is inside of Objects: the cluster refuses a field that its own CRDs do not declare. */
function withManifests(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects.flatMap((object) => {
    const inner = isWrapped(object) ? [askedManifest(object), seenManifest(object)] : [];
    return [object, ...inner.filter((manifest) => manifest !== undefined)];
  });
}

const batches = new Map<string, readonly KubernetesObject[]>([
  ...authored.map((file) => [file, readObjects(join(root, file))] as const),
  ...cases.map((renderCase) => [`render of ${renderCase.name}`, withManifests(rendered(renderCase))] as const),
  ...readable.map(
    ({ name, observed, required }) => [`start of ${name}`, withManifests([...observed, ...required])] as const,
  ),
]);

/** The faults of each batch, found by one run of the CLI over all of them. */
const faultsOf = new Map<string, readonly string[]>();

beforeAll(async () => {
  for (const folder of examples) batches.set(`render of ${folder}`, await renderedExample(folder));
  const verdicts = await validate(toolbox, [...batches.values()].flat().map(withTimes));
  let next = 0;
  for (const [name, objects] of batches) {
    faultsOf.set(name, verdicts.slice(next, next + objects.length).flatMap(describe));
    next += objects.length;
  }
});

function describe({
  object,
  errors,
}: {
  readonly object: KubernetesObject;
  readonly errors: readonly string[];
}): string[] {
  return errors.map((error) => `${object.kind} "${object.metadata.name}": ${error}`);
}

async function faults(object: KubernetesObject): Promise<readonly string[]> {
  return (await validate(toolbox, [object])).flatMap(describe);
}

test('there are examples, Compositions, XRDs and cases to validate', () => {
  const countIn = (folder: string) => authored.filter((file) => file.startsWith(folder)).length;
  expect(countIn('examples')).toBeGreaterThanOrEqual(3);
  expect(countIn('compositions')).toBeGreaterThanOrEqual(6);
  expect(countIn('apis')).toBeGreaterThanOrEqual(6);
  expect(cases.length).toBeGreaterThanOrEqual(15);
  expect(examples.length).toBeGreaterThanOrEqual(3);
});

test.each(authored)('%s is accepted by the schemas of its kinds', (file) => {
  expect(batches.get(file)?.length).toBeGreaterThan(0);
  expect(faultsOf.get(file)).toEqual([]);
});

test.each(cases)('S8 case $name renders only fields that the oldest supported CRDs declare', ({ name }) => {
  expect(faultsOf.get(`render of ${name}`)).toEqual([]);
});

test.each(examples)('S8 render of %s composes only fields that the oldest supported CRDs declare', (folder) => {
  const kinds = batches.get(`render of ${folder}`)?.map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['AIGatewayRoute', 'ModelReplica', 'NodeGroup', 'PodMonitor']));
  expect(faultsOf.get(`render of ${folder}`)).toEqual([]);
});

test.each(readable)('case $name starts from objects that a cluster could hold', ({ name }) => {
  expect(faultsOf.get(`start of ${name}`)).toEqual([]);
});

test('a field that the CRD of NodeGroup does not declare is refused', async () => {
  const scalingConfig = { minSize: 0, maxSize: 1, desiredSize: 0 };
  const role = 'arn:aws:iam::1:role/node';
  const nodeGroup = {
    apiVersion: 'eks.aws.m.upbound.io/v1beta1',
    kind: 'NodeGroup',
    metadata: { name: 'planted', namespace: 'team-a' },
    spec: {
      forProvider: { region: 'us-east-1', clusterName: 'main', nodeRoleArn: role, scalingConfig, spotPrice: 1 },
    },
  };
  expect(await faults(nodeGroup)).toEqual([
    'NodeGroup "planted": spec.forProvider.spotPrice: Invalid value: "spotPrice": unknown field: "spotPrice"',
  ]);
});

test('a claim that breaks a CEL rule is refused with the message of the rule', async () => {
  const claim = [...batches.values()].flat().find(({ kind }) => kind === 'ModelDeployment');
  const spec = isRecord(claim?.spec) ? claim.spec : {};
  const placement = { ...(isRecord(spec.placement) ? spec.placement : {}), classes: ['l4', 'l4'] };
  const broken = { ...claim, spec: { ...spec, placement } } as KubernetesObject;
  expect(await faults(broken)).toEqual([expect.stringContaining('lists a class twice')]);
});

test('isClusterScoped agrees with every CRD', () => {
  const crds = readdirSync(toolbox.crds).flatMap((file) => readObjects(join(toolbox.crds, file)));
  expect(crds.length).toBeGreaterThanOrEqual(20);
  const scopes = crds.map(({ spec }) => {
    const { group, names, scope } = spec as { group: string; names: { kind: string }; scope: string };
    const here = isClusterScoped({ apiVersion: `${group}/v1`, kind: names.kind }) ? 'Cluster' : 'Namespaced';
    return { kind: names.kind, here, scope };
  });
  expect(scopes.filter(({ here, scope }) => here !== scope)).toEqual([]);
});
