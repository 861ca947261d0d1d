/**
 * The golden stories of the two proofs of concept: a replica of each claim from nothing to an edit of every field, and
 * its service until it is routable. Held to `examples/`, so that neither drifts from the other.
 */
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import { applyDefaults } from '../../cli/crossplane/apply-defaults.ts';
import { readInstalledKinds } from '../../cli/crossplane/package-files.ts';
import { keyOf } from '../../cli/crossplane/reconcile-composite.ts';
import { identityOf } from '../../cli/crossplane/world.ts';
import { readObjects as readFolder } from '../../cli/read-objects.ts';
import {
  isKubernetesObject,
  isRecord,
  type KubernetesObject,
  readList,
  readPath,
  readString,
} from '../../domain/kubernetes/object.ts';
import { type RenderCase, readCases, readExpected, root } from './read-cases.ts';
import { renderExample } from './render-examples.ts';

const kinds = readInstalledKinds();
const cases = readCases();
const replicaSteps = [
  '1-nothing-yet',
  '2-asked',
  '3-past-patience',
  '4-create-failed-then-joined',
  '5-nodes-joined',
  '6-serving',
  '7-engine-upgraded',
  '8-renamed-and-edited',
];
const serviceSteps = ['1-nothing-yet', '2-engine-ready', '3-routable'];
const pocs = ['poc-1', 'poc-2'];
const stories = pocs.flatMap((poc) => {
  const deployments = readFolder(join(root, 'examples', poc)).filter(({ kind }) => kind === 'ModelDeployment');
  return deployments.map((deployment) => ({ poc, name: deployment.metadata.name ?? '', deployment }));
});

function stepOf(name: string): RenderCase {
  const found = cases.find((question) => question.name === name);
  if (found === undefined) throw new Error(`test/render/cases has no "${name}"; add it, as the other stories have it`);
  return found;
}

function composedBy(name: string, ...wanted: readonly string[]): readonly KubernetesObject[] {
  const composed = readList(readExpected(stepOf(name)), ['composed']).filter(isKubernetesObject);
  return composed.filter(({ kind }) => wanted.includes(kind));
}

/** The spec of an object as the API server would keep it. */
function specOf(object: KubernetesObject | undefined): unknown {
  return readPath(applyDefaults(kinds.get(object?.kind ?? '')?.schema ?? {}, object), ['spec']);
}

/** A condition of the XR after a step, as `status reason`. */
function conditionOf(name: string, type: string): string {
  const conditions = readList(readExpected(stepOf(name)), ['composite', 'status', 'conditions']).filter(isRecord);
  const found = conditions.find((condition) => condition.type === type);
  return `${String(found?.status)} ${String(found?.reason)}`;
}

const composedReplicas = new Map<string, KubernetesObject>();
beforeAll(async () => {
  for (const poc of pocs) {
    const { outputs } = await renderExample(`examples/${poc}`);
    const replicas = outputs.map(({ composite }) => composite).filter(({ kind }) => kind === 'ModelReplica');
    for (const replica of replicas) composedReplicas.set(`${poc}-${replica.metadata.name}`, replica);
  }
});

test('every claim of both proofs of concept has a story, and there is no other', () => {
  expect(stories.map(({ poc, name }) => `${poc}-${name}`)).toEqual([
    'poc-1-coder',
    'poc-1-glm',
    'poc-2-mimo',
    'poc-2-qwen',
  ]);
  const wanted = stories.flatMap(({ poc, name }) => [
    ...replicaSteps.map((step) => `${poc}-${name}/${step}`),
    ...serviceSteps.map((step) => `${poc}-service-${name}/${step}`),
  ]);
  expect(cases.map(({ name }) => name).filter((name) => /^poc-/.test(name))).toEqual(wanted.sort());
});

describe.each(stories)('the story of $poc $name', ({ poc, name }) => {
  const story = `${poc}-${name}`;
  const service = `${poc}-service-${name}`;
  const example = new Map(readFolder(join(root, 'examples', poc)).map((object) => [identityOf(object), object]));
  const asWritten = [
    ...replicaSteps.slice(0, 7).map((step) => stepOf(`${story}/${step}`)),
    ...serviceSteps.map((step) => stepOf(`${service}/${step}`)),
  ];

  test('has the platform and the service of its example as a person wrote them', () => {
    for (const { name: step, xr, required } of asWritten) {
      const ours = [xr, ...required].filter(({ kind }) => /^Inference|^ModelService$/.test(kind));
      const specs = ours.map((object) => ({ step, identity: identityOf(object), spec: object.spec }));
      expect(specs).toEqual(specs.map((entry) => ({ ...entry, spec: example.get(entry.identity)?.spec })));
      expect(ours.length).toBeGreaterThanOrEqual(2);
    }
  });

  test('has the replica that its example composes, with another engine once it is upgraded', () => {
    const composed = composedReplicas.get(`${story}-0`);
    for (const { name: step, xr, required } of asWritten) {
      const [replica] = [xr, ...required].filter(({ kind }) => kind === 'ModelReplica');
      const image = step.endsWith('/7-engine-upgraded')
        ? readString(replica, ['spec', 'template', 'engine', 'image'])
        : undefined;
      const spec = specOf(replica);
      const wanted = structuredClone(specOf(composed));
      if (image !== undefined) Object.assign(readPath(wanted, ['template', 'engine']) ?? {}, { image });
      expect({ step, labels: replica?.metadata.labels, spec }).toEqual({
        step,
        labels: composed?.metadata.labels,
        spec: wanted,
      });
    }
    expect(composed).toBeDefined();
  });

  test('deletes nothing in any step', () => {
    for (const { name: step } of cases.filter((question) => question.name.startsWith(`${story}/`))) {
      expect({ step, deleted: readPath(readExpected(stepOf(step)), ['deleted']) }).toEqual({ step, deleted: [] });
    }
  });

  test('L11 L13 keeps asking past patience, keeps what EKS gave up, and is placed by nodes alone', () => {
    const placed = replicaSteps.slice(2, 6).map((step) => conditionOf(`${story}/${step}`, 'Placed'));
    const waits = story === 'poc-2-mimo' ? 'False WaitingForNodes' : 'False LadderExhausted';
    expect(placed).toEqual([waits, 'False LadderExhausted', 'True NodesUsable', 'True NodesUsable']);
    const rungs = composedBy(`${story}/3-past-patience`, 'NodeGroup').map(
      ({ metadata }) => metadata.annotations?.['modelberth.dev/rung'],
    );
    expect(new Set(rungs).size).toBe(story === 'poc-2-mimo' ? 2 : 1);
  });

  test('L33 answers, and then is routable', () => {
    expect(conditionOf(`${story}/6-serving`, 'EngineReady')).toBe('True EngineAnswers');
    expect(serviceSteps.map((step) => conditionOf(`${service}/${step}`, 'Routable'))).toEqual([
      'False NoEndpoint',
      'Unknown NotObserved',
      'True Routed',
    ]);
  });

  test('L9 gets the sizes of its shape as flags where its nodes are', () => {
    const [workload] = composedBy(`${story}/5-nodes-joined`, 'Deployment', 'LeaderWorkerSet');
    const flags = JSON.stringify(workload?.spec).match(/--(tensor|pipeline)-parallel-size=\d|--nnodes=\d/g) ?? [];
    const gang = ['--nnodes=2', '--pipeline-parallel-size=2', '--tensor-parallel-size=1'];
    const one = ['--pipeline-parallel-size=1', '--tensor-parallel-size=1'];
    expect([...new Set(flags)].sort()).toEqual(story === 'poc-2-mimo' ? gang : one);
  });

  test('L12 upgrades its engine and leaves its pools alone', () => {
    const before = composedBy(`${story}/6-serving`, 'NodeGroup');
    expect(composedBy(`${story}/7-engine-upgraded`, 'NodeGroup')).toEqual(before);
    expect(before.length).toBe(story === 'poc-2-mimo' ? 3 : 1);
    const [upgraded] = composedBy(`${story}/7-engine-upgraded`, 'Deployment', 'LeaderWorkerSet');
    const { xr } = stepOf(`${story}/7-engine-upgraded`);
    expect(JSON.stringify(upgraded)).toContain(`"${readString(xr, ['spec', 'template', 'engine', 'image'])}"`);
  });

  test('L12 L41 is renamed and edited in every field, and drops, renames and parks nothing', () => {
    const { xr, observed } = stepOf(`${story}/8-renamed-and-edited`);
    const before = leavesOf(stepOf(`${story}/6-serving`).xr.spec);
    const after = leavesOf(xr.spec);
    const unchanged = [...before].filter(([path, value]) => after.get(path) === value).map(([path]) => path);
    // What is not the author's to edit, and the one engine that there is.
    expect(unchanged).toEqual(['deploymentName', 'index', 'clusterName', 'traffic', 'template.engine.type']);
    const held = ['NodeGroup', 'Deployment', 'LeaderWorkerSet'];
    const contentOf = ({ kind, metadata, spec }: KubernetesObject) => ({ kind, name: metadata.name, spec });
    const emitted = new Map(
      composedBy(`${story}/8-renamed-and-edited`, ...held).map((object) => [keyOf(object), object]),
    );
    const lasting = observed.filter(({ kind }) => held.includes(kind));
    const kept = lasting.flatMap((object) => emitted.get(keyOf(object)) ?? []);
    expect(kept.map(contentOf)).toEqual(lasting.map(contentOf));
    expect(kept.length).toBeGreaterThanOrEqual(2);
  });

  test('L25 L26 is reached by one name under the paths of OpenAI and of Anthropic', () => {
    const [route] = composedBy(`${service}/3-routable`, 'AIGatewayRoute');
    const { namespace } = stepOf(`${service}/3-routable`).xr.metadata;
    const rules = readList(route, ['spec', 'rules']);
    const headers = rules.map((rule) =>
      readList(rule, ['matches']).flatMap((match) =>
        readList(match, ['headers'])
          .filter(isRecord)
          .map(({ value }) => value),
      ),
    );
    expect(headers).toEqual([[`${namespace}/${name}`, '/anthropic/.*'], [`${namespace}/${name}`]]);
    const schemas = composedBy(`${service}/3-routable`, 'AIServiceBackend').map((backend) =>
      readString(backend, ['spec', 'schema', 'name']),
    );
    expect(schemas).toEqual(['Anthropic', 'OpenAI']);
  });
});

/** Every scalar of a value by its path. */
function leavesOf(value: unknown, path = ''): ReadonlyMap<string, unknown> {
  if (!isRecord(value) && !Array.isArray(value)) return new Map([[path, value]]);
  const entries = Object.entries(value).flatMap(([name, child]) => [
    ...leavesOf(child, path === '' ? name : `${path}.${name}`),
  ]);
  return new Map(entries);
}

/** What a driver publishes of an accelerator, as a selector of DRA sees it. */
function deviceOf(hardwareClass: KubernetesObject): Record<string, unknown> {
  const accelerator = readPath(hardwareClass, ['spec', 'accelerator']);
  const { productName, architecture } = isRecord(accelerator) ? accelerator : {};
  return { driver: 'gpu.nvidia.com', attributes: { 'gpu.nvidia.com': { productName, architecture } } };
}

test.each(stories)(
  'L1 the claim of $poc $name admits the accelerator of its class and not the other one',
  ({ poc, name, deployment }) => {
    const classes = readFolder(join(root, 'examples', poc)).filter(({ kind }) => kind === 'InferenceClass');
    const claims = composedBy(`${poc}-${name}/5-nodes-joined`, 'ResourceClaimTemplate');
    const expressions = claims.map(
      (claim) => /"expression":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(claim))?.[1] ?? '""',
    );
    // These selectors use only what CEL and JavaScript read alike: member access, `in`, `==` on strings and `&&`.
    const admitted = expressions.map((expression) =>
      classes
        .filter((found) => runInNewContext(JSON.parse(expression), { device: deviceOf(found) }) === true)
        .map(({ metadata }) => metadata.name),
    );
    expect(admitted).toEqual([readPath(deployment, ['spec', 'placement', 'classes'])]);
    expect(classes.length).toBe(2);
  },
);
