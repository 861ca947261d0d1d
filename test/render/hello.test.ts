import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyDefaults } from '../../cli/crossplane/apply-defaults.ts';
import { readInstalledKinds } from '../../cli/crossplane/package-files.ts';
import { identityOf } from '../../cli/crossplane/world.ts';
import { readObjects as readFolder } from '../../cli/read-objects.ts';
import { isKubernetesObject, type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import { type RenderCase, readCases, readExpected, root } from './read-cases.ts';

const kinds = readInstalledKinds();
const hello = new Map(readFolder(join(root, 'examples/hello')).map((object) => [identityOf(object), object]));
const cases = readCases();
/** The first step of each case that starts from the example. */
const first = [
  'class/1-complete',
  'cluster/1-empty',
  'deployment/1-nothing-yet',
  'gateway/1-nothing-yet',
  'replica/1-nothing-yet',
  'service/1-nothing-yet',
].map(caseNamed);

function caseNamed(name: string): RenderCase {
  const found = cases.find((question) => question.name === name);
  if (found === undefined) throw new Error(`test/render/cases has no "${name}"`);
  return found;
}

/** The objects of a case that the example has too, by kind, namespace and name. */
function sharedWithHello({ xr, required }: RenderCase): readonly KubernetesObject[] {
  return [xr, ...required].filter((object) => hello.has(identityOf(object)));
}

/** The spec of an object as the API server would keep it. */
function specOf(object: KubernetesObject | undefined): unknown {
  const defaulted = applyDefaults(kinds.get(object?.kind ?? '')?.schema ?? {}, object);
  return (defaulted as KubernetesObject | undefined)?.spec;
}

test('the first steps hold every object of examples/hello, and of its kinds no other', () => {
  const shared = first.flatMap(sharedWithHello).map(identityOf);
  expect([...new Set(shared)].sort()).toEqual([...hello.keys()].sort());
  const helloKinds = new Set([...hello.values()].map(({ kind }) => kind));
  const ofItsKinds = first.flatMap(({ xr, required }) => [xr, ...required]).filter(({ kind }) => helloKinds.has(kind));
  expect(ofItsKinds.map(identityOf).filter((identity) => !hello.has(identity))).toEqual([]);
});

describe.each(first)('case $name', (question) => {
  test('has the specs of examples/hello as a person wrote them', () => {
    const shared = sharedWithHello(question);
    expect(shared.length).toBeGreaterThan(0);
    for (const object of shared) {
      const identity = identityOf(object);
      expect({ identity, spec: object.spec }).toEqual({ identity, spec: hello.get(identity)?.spec });
    }
  });
});

test('case replica/1-nothing-yet starts from the ModelReplica that case deployment/1-nothing-yet composes', () => {
  const composed = readList(readExpected(caseNamed('deployment/1-nothing-yet')), ['composed']);
  const replicas = composed.filter(isKubernetesObject).filter(({ kind }) => kind === 'ModelReplica');
  const { xr } = caseNamed('replica/1-nothing-yet');
  expect(replicas.map(identityOf)).toEqual([identityOf(xr)]);
  expect(specOf(xr)).toEqual(specOf(replicas[0]));
  expect(xr.metadata.labels).toEqual(replicas[0]?.metadata.labels);
});
