import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requiredVersion, wantedGo } from './go-module.ts';
import { cacheFolder, toolPath } from './tool-cache.ts';
import { aigw, celcost, cli, core, crdSources, envoyGateway, kubernetes, leaderWorkerSet } from './tools.ts';

const folders: readonly [string, NodeJS.ProcessEnv, string][] = [
  ['the variable of our own is set', { MODELBERTH_CACHE: '/a', XDG_CACHE_HOME: '/b' }, '/a'],
  ['the user has a cache folder', { MODELBERTH_CACHE: '', XDG_CACHE_HOME: '/b' }, join('/b', 'modelberth')],
];

test.each(folders)('cacheFolder is outside the work tree when %s', (_name, environment, expected) => {
  expect(cacheFolder(environment)).toBe(expected);
});

test('cacheFolder is under the home folder when nothing is set', () => {
  expect(cacheFolder({})).toMatch(/[\\/]\.cache[\\/]modelberth$/);
});

test('toolPath is another one when Go is another one, so that a binary is never stale', () => {
  expect(toolPath(core, 'go version go1.26.8 linux/amd64')).not.toBe(toolPath(core, 'go version go1.27.0 linux/amd64'));
  expect(toolPath(core, 'go version go1.26.8 linux/amd64')).toBe(toolPath(core, 'go version go1.26.8 linux/amd64'));
});

test('the pinned versions are those that were run', () => {
  expect(
    [core, cli, celcost, kubernetes, leaderWorkerSet, envoyGateway, aigw].map(({ folder, module }) => [
      module,
      requiredVersion(folder, module),
      wantedGo(folder),
    ]),
  ).toEqual([
    ['github.com/crossplane/crossplane/v2', 'v2.4.0', '1.26.0'],
    ['github.com/crossplane/cli/v2', 'v2.5.0', '1.26.0'],
    ['k8s.io/apiextensions-apiserver', 'v0.35.1', '1.26.0'],
    ['k8s.io/kubernetes', 'v1.36.3', '1.26.0'],
    ['sigs.k8s.io/lws', 'v0.8.0', '1.26.0'],
    ['github.com/envoyproxy/gateway', 'v1.9.0', '1.26.6'],
    ['github.com/envoyproxy/ai-gateway', 'v1.0.0', '1.26.6'],
  ]);
});

test('celcost judges with the Kubernetes of the Crossplane CLI, so that both say the same', () => {
  expect(requiredVersion(celcost.folder, celcost.module)).toBe(requiredVersion(cli.folder, celcost.module));
});

test.each(crdSources.map(({ module }) => module))('the CRDs of %s are pinned to an exact version', (module) => {
  expect(requiredVersion('crds', module)).toMatch(/^v\d+\.\d+\.\d+$/);
});

test('core and the CRDs of Crossplane are of one version', () => {
  expect(requiredVersion('crds', core.module)).toBe(requiredVersion(core.folder, core.module));
});

test.each([envoyGateway, aigw])('the CRDs and the program of $module are of one version', ({ folder, module }) => {
  expect(requiredVersion('crds', module)).toBe(requiredVersion(folder, module));
});

test('the controller and the CRD of LeaderWorkerSet are of one version', () => {
  const { folder, module } = leaderWorkerSet;
  expect(requiredVersion('crds', module)).toBe(requiredVersion(folder, module));
});

test('requiredVersion names the file to mend when a module is not required', () => {
  expect(() => requiredVersion('core', 'example.org/none')).toThrow(
    'Cannot find example.org/none in tools/core/go.mod: require it there in an exact version',
  );
});
