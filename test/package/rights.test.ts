import { expect, test } from 'vitest';
import { group } from '../../domain/kubernetes/label.ts';
import { readCases } from '../render/read-cases.ts';
import { neededRemoteRights, neededRights, readRoles, rightsOf } from './rights.ts';

const cases = readCases();
const granted = rightsOf(readRoles('crossplane.yaml').get('modelberth:aggregate-to-crossplane'));
/** Crossplane's RBAC manager grants these from the XRDs. */
const isOurs = (right: string) => right.endsWith(`.${group}`);
const needed = new Set(cases.flatMap(neededRights).filter((right) => !isOurs(right)));

test('the golden cases need rights of many kinds', () => {
  expect(needed.size).toBeGreaterThan(150);
  expect([...needed]).toEqual(expect.arrayContaining(['delete nodegroups.eks.aws.m.upbound.io', 'watch nodes']));
});

test('Crossplane is granted every verb on every kind that a golden case composes or requires: see package/rbac/crossplane.yaml', () => {
  expect([...needed].filter((right) => !granted.has(right)).sort()).toEqual([]);
});

test('Crossplane is granted nothing that no golden case needs: see package/rbac/crossplane.yaml', () => {
  expect([...granted].filter((right) => !needed.has(right)).sort()).toEqual([]);
});

test('the role is aggregated to the one of Crossplane', () => {
  const role = readRoles('crossplane.yaml').get('modelberth:aggregate-to-crossplane');
  expect(role?.metadata.labels).toEqual({ 'rbac.crossplane.io/aggregate-to-crossplane': 'true' });
});

test('provider-kubernetes is granted on a Remote cluster every verb on what is delivered and observed there', () => {
  const remote = rightsOf(readRoles('remote-cluster.yaml').get('modelberth-remote'));
  const neededThere = new Set(cases.flatMap(neededRemoteRights));
  expect(neededThere.size).toBeGreaterThan(40);
  expect([...neededThere].filter((right) => !remote.has(right)).sort()).toEqual([]);
  expect(remote).not.toContain('delete namespaces');
});

const teams = readRoles('teams.yaml');
const may: readonly [string, string, string][] = [
  ['modelberth-engineer', 'create', 'modeldeployments.modelberth.dev'],
  ['modelberth-engineer', 'delete', 'modelservices.modelberth.dev'],
  ['modelberth-engineer', 'patch', 'modeldeployments/scale.modelberth.dev'],
  ['modelberth-engineer', 'watch', 'modelreplicas.modelberth.dev'],
  ['modelberth-engineer', 'get', 'pods/log'],
  ['modelberth-reader', 'list', 'inferenceclasses.modelberth.dev'],
  ['modelberth-platform', 'update', 'inferenceclusters.modelberth.dev'],
];
test.each(may)('%s may %s %s', (role, verb, resource) => {
  expect(rightsOf(teams.get(role))).toContain(`${verb} ${resource}`);
});

const mayNot: readonly [string, RegExp][] = [
  ['modelberth-engineer', /nodegroups|secrets|deployments\.apps|eks|kubernetes\.m/],
  ['modelberth-engineer', /^(create|update|patch|delete) (modelreplicas|inference)/],
  ['modelberth-engineer', /\/status/],
  ['modelberth-reader', /^(create|update|patch|delete) /],
  ['modelberth-platform', /^(create|update|patch|delete) model/],
];
test.each(mayNot)('%s may do nothing like %s', (role, right) => {
  const rights = [...rightsOf(teams.get(role))];
  expect(rights.length).toBeGreaterThan(0);
  expect(rights.filter((text) => right.test(text))).toEqual([]);
});
