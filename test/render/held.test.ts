/**
 * What the cases of the kind `<case>-held*` claim in their names, held beside their golden files: an update of those
 * may not lose an object or rename a reason without a word.
 */
import { describe, expect, test } from 'vitest';
import { keyOf } from '../../cli/crossplane/reconcile-composite.ts';
import { isKubernetesObject, isRecord, type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import { pipelines, steps } from '../../functions/steps.ts';
import { type RenderCase, readCases, readExpected } from './read-cases.ts';

const held = readCases().filter(({ name }) => /^\w+-held/.test(name));

/** How far an XR had come, each with a case for each thing that is lacking. */
const histories: readonly string[] = [
  'replica-held-nothing',
  'replica-held-asked',
  'replica-held-joined',
  'replica-held',
  'deployment-held-nothing',
  'deployment-held-asked',
  'deployment-held-ready',
  'deployment-held',
];
const lacking: readonly string[] = ['1-class-missing', '2-cluster-missing', '3-status-unreadable'];

/** The reason that the first step gives for an object that is missing, by the end of the name of a case. */
const reasons: Readonly<Record<string, string>> = {
  'class-missing': 'ClassMissing',
  'cluster-missing': 'ClusterMissing',
  'gateway-missing': 'GatewayMissing',
};

function composedBy(question: RenderCase): readonly KubernetesObject[] {
  return readList(readExpected(question), ['composed']).filter(isKubernetesObject);
}

/** The key and the spec or data of an object, without what only the API server writes. */
function contentOf(object: KubernetesObject): unknown {
  const { metadata: _metadata, status: _status, ...content } = object;
  return { key: keyOf(object), content };
}

function byKey(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return [...objects].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

/** The main condition of the first step of the pipeline of an XR. */
function mainCondition(question: RenderCase): Readonly<Record<string, unknown>> | undefined {
  const { kind } = question.xr;
  const [first] = pipelines[kind] ?? [];
  const type = first === undefined ? undefined : steps[first].mainCondition[kind];
  const conditions = readList(readExpected(question), ['composite', 'status', 'conditions']);
  return conditions.filter(isRecord).find((condition) => condition.type === type);
}

test.each(histories)(
  'S1 there is a case of %s for a missing class, a missing cluster and an unreadable status',
  (name) => {
    const names = held.map((question) => question.name);
    expect(lacking.filter((step) => !names.includes(`${name}/${step}`))).toEqual([]);
  },
);

describe.each(held)('S1 case $name', (question) => {
  test('deletes nothing and holds every observed object as it is', () => {
    const observedKeys = new Set(question.observed.map(keyOf));
    const composed = composedBy(question).filter((object) => observedKeys.has(keyOf(object)));
    expect(byKey(composed).map(contentOf)).toEqual(byKey(question.observed).map(contentOf));
    expect(readExpected(question).deleted).toEqual([]);
  });
});

const missing = held.filter(({ name }) => name.endsWith('-missing'));

describe.each(missing)('S1 case $name', (question) => {
  test('composes nothing new, and its main condition says what is missing', () => {
    expect(composedBy(question).map(keyOf).sort()).toEqual(question.observed.map(keyOf).sort());
    const reason = reasons[question.name.replace(/^.*\/\d-/, '')];
    expect(mainCondition(question)).toMatchObject({ status: 'Unknown', reason });
    expect(reason).toBeDefined();
  });
});
