/** The packages as they are shipped: built by the real command line, started from their own root file system. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isRecord, type KubernetesObject, readList, readPath } from '../../../domain/kubernetes/object.ts';
import { functionNames } from '../../../functions/steps.ts';
import { buildPackages } from '../../../scripts/package/build-packages.ts';
import { runTool } from '../../../scripts/package/run-tool.ts';
import { type Target, targets } from '../../../scripts/package/target.ts';
import { connect, createTrust, requestFor } from '../../call-function.ts';
import { mountCertificates } from '../../certificates.ts';
import { readToolbox } from '../../crossplane/toolbox.ts';
import { readObjects } from '../../render/read-cases.ts';
import { runServeBy } from '../../serve-process.ts';
import { unpackImage } from './build-release.ts';

const { cli } = readToolbox();
const { release, packages, digests } = inject('release');
const folder = mkdtempSync(join(tmpdir(), 'modelberth-packages-'));
const trust = createTrust();
const [amd64, arm64] = targets as [Target, Target];
const isRoot = process.getuid?.() === 0;

beforeAll(() => {
  for (const target of targets) unpackImage(join(packages, `placement-${target.architecture}.xpkg`), rootOf(target));
});
afterAll(() => rmSync(folder, { recursive: true }));

function rootOf({ architecture }: Target): string {
  return join(folder, `root-${architecture}`);
}

/** The objects that the package manager reads of a package. */
function objectsOf(name: string): readonly KubernetesObject[] {
  const out = join(folder, `${name}.gz`);
  runTool(cli, ['xpkg', 'extract', '--from-xpkg', join(packages, `${name}.xpkg`), '-o', out]);
  const file = join(folder, `${name}.yaml`);
  runTool('bash', ['-c', 'gunzip --stdout "$1" > "$2"', 'bash', out, file]);
  return readObjects(file);
}

/** The configuration of a package's image, and the names of its layers, which are their digests. */
function describeImage(name: string): { readonly config: object; readonly layers: readonly string[] } {
  const read = (file: string) => JSON.parse(runTool('tar', ['-xOf', join(packages, `${name}.xpkg`), file]));
  const [{ Config, Layers }] = read('manifest.json');
  return { config: read(Config), layers: Layers };
}

function filesBelow(root: string): readonly string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => statSync(join(root, path)).isFile()).sort();
}

describe('npm run package', () => {
  test('builds the Configuration, and each Function for two architectures', () => {
    const functions = functionNames.flatMap((name) => [`${name}-amd64.xpkg`, `${name}-arm64.xpkg`]);
    expect(Object.keys(digests).sort()).toEqual([...functions, 'modelberth.xpkg'].sort());
  });

  test('gives the same bytes when it builds again', async () => {
    const again = await buildPackages({ release, folder: join(folder, 'two'), cli, refresh: false, targets: [amd64] });
    expect(again.length).toBe(5);
    for (const { path, digest } of again) expect([path, digest]).toEqual([path, digests[basename(path)]]);
  });
});

test('the Configuration holds the XRDs, the Compositions and the activation policy, and nothing else', () => {
  const kinds = new Map<string, number>();
  for (const { kind } of objectsOf('modelberth')) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  expect(Object.fromEntries(kinds)).toEqual({
    Configuration: 1,
    CompositeResourceDefinition: 6,
    Composition: 6,
    ManagedResourceActivationPolicy: 1,
  });
});

test('the Configuration pins the Functions of its own release, and each Composition names them as they get installed', () => {
  const objects = objectsOf('modelberth');
  const meta = objects.find(({ kind }) => kind === 'Configuration');
  const pinned = readList(meta, ['spec', 'dependsOn']).filter(isRecord);
  expect(pinned.filter(({ version }) => version === release.version).length).toBe(4);
  const steps = objects.flatMap((object) => readList(object, ['spec', 'pipeline']));
  const called = steps.map((step) => readPath(step, ['functionRef', 'name']));
  expect(new Set(called)).toEqual(new Set(functionNames.map((name) => `modelberth-${name}`)));
});

test.each(functionNames)(
  'the Function %s holds its meta data and the CRD of its Input, and runs its own command',
  (name) => {
    expect(
      objectsOf(`${name}-amd64`)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['CustomResourceDefinition', 'Function']);
    expect(describeImage(`${name}-arm64`).config).toMatchObject({
      architecture: 'arm64',
      os: 'linux',
      config: { Entrypoint: ['/usr/bin/node', '/app/main.mjs', name], User: '65532:65532' },
    });
  },
);

test('the four functions of an architecture differ in one layer only, that of their own meta data', () => {
  const layers = functionNames.map((name) => new Set(describeImage(`${name}-amd64`).layers));
  const shared = [...(layers[0] ?? [])].filter((layer) => layers.every((others) => others.has(layer)));
  expect(shared.length).toBeGreaterThanOrEqual(2);
  expect(layers.map(({ size }) => size - shared.length)).toEqual([1, 1, 1, 1]);
});

describe.each(targets)('the image for $architecture', (target) => {
  test('holds one bundled file of ours and no node_modules, no shell and no package manager', () => {
    const files = filesBelow(rootOf(target));
    expect(files.filter((path) => path.startsWith('app/'))).toEqual(['app/main.mjs']);
    expect(files.filter((path) => /node_modules|\/(sh|bash|dash|apt-get|dpkg|npm)$/.test(path))).toEqual([]);
  });

  test('holds programs and libraries of its architecture only', () => {
    const machines = filesBelow(rootOf(target)).flatMap((path) => {
      const bytes = readFileSync(join(rootOf(target), path));
      return bytes.subarray(0, 4).toString('latin1') === '\x7fELF' ? [bytes.readUInt16LE(18)] : [];
    });
    expect(machines.length).toBeGreaterThan(10);
    expect(new Set(machines)).toEqual(new Set([target.machine]));
  });

  test('may be read by every user', () => {
    const root = rootOf(target);
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
    expect(paths.filter((path) => (statSync(join(root, path)).mode & 0o004) === 0)).toEqual([]);
    expect(statSync(join(root, 'usr/bin/node')).mode & 0o111).toBe(0o111);
  });
});

test('both images hold the same files', () => {
  const files = (target: Target) =>
    filesBelow(rootOf(target)).map((path) =>
      path.replaceAll(target.triplet, 'triplet').replace(/^lib(64)?\/ld-.*/, 'ld'),
    );
  expect(files(arm64).sort()).toEqual(files(amd64).sort());
});

/** Enters a root file system, as root for any user id; else in a user namespace of its own, where it is one of them. */
function enter(root: string, uid: number): [string, ...string[]] {
  return isRoot ? ['chroot', `--userspec=${uid}:${uid}`, root] : ['unshare', '--map-root-user', 'chroot', root];
}

const canEnter = process.arch === 'x64' && spawnSync('chroot', ['--version']).status === 0;

test.runIf(canEnter).each(functionNames.map((name, index) => ({ name, uid: 2000 + index * 31_000 })))(
  '$name starts from its own root file system as user $uid and answers a client with a certificate, and no other',
  async ({ name, uid }) => {
    const root = rootOf(amd64);
    const certificates = join('tls', name);
    mountCertificates(join(root, certificates), trust.server);
    const command = ['/usr/bin/node', '/app/main.mjs', name, '--address', '127.0.0.1:0'];
    const served = runServeBy([...enter(root, uid), ...command], { TLS_SERVER_CERTS_DIR: `/${certificates}` });
    const address = await served.listening();
    const trusted = connect(address, trust.client);
    const nameless = connect(address, { 'ca.crt': trust.client['ca.crt'] });
    try {
      const kind = name === 'gateway' ? 'ModelService' : 'ModelReplica';
      const { meta, results } = await trusted.call(requestFor(kind));
      expect(meta?.tag).toBe('sample');
      expect(results.filter(({ reason }) => reason === 'InternalError')).toEqual([]);
      await expect(nameless.call(requestFor(kind))).rejects.toMatchObject({ code: status.UNAVAILABLE });
      if (isRoot) expect(statSync(`/proc/${served.child.pid}`).uid).toBe(uid);
    } finally {
      trusted.close();
      nameless.close();
      served.child.kill('SIGTERM');
    }
    await expect(served.exitCode()).resolves.toBe(0);
  },
);
