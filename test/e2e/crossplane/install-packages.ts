/** Pushes the packages of a release, installs the Configuration, and runs its functions as processes with mTLS. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { isRecord, type KubernetesObject, readList, readString } from '../../../domain/kubernetes/object.ts';
import { type FunctionName, functionNames } from '../../../functions/steps.ts';
import { functionRepository, installedName, type Release } from '../../../scripts/package/release.ts';
import { runTool } from '../../../scripts/package/run-tool.ts';
import { readObjects } from '../../render/read-cases.ts';
import { type ApiClient, apply, list, pathOf } from '../cluster/api-client.ts';
import { until } from '../cluster/until.ts';
import { system } from './start-crossplane.ts';

const revisions = { apiVersion: 'pkg.crossplane.io/v1', kind: 'FunctionRevision' } as const;

export interface Push {
  readonly cli: string;
  /** Where `npm run package` put the packages. */
  readonly packages: string;
  readonly release: Release;
}

/** Pushes the five packages as `npm run package` says it. */
export function pushPackages({ cli, packages, release }: Push): void {
  const push = (files: readonly string[], name: string) => {
    const paths = files.map((file) => join(packages, `${file}.xpkg`)).join(',');
    runTool(cli, ['xpkg', 'push', '-f', paths, `${release.repository}/${name}:${release.version}`]);
  };
  push(['modelberth'], 'configuration');
  for (const name of functionNames) push([`${name}-amd64`, `${name}-arm64`], name);
}

/** A provider as the Configuration depends on it, of which only the CRDs are wanted here. */
export interface StubProvider {
  readonly path: string;
  readonly version: string;
  readonly crds: readonly string[];
}

const stubProviders: readonly StubProvider[] = [
  {
    path: 'upbound/provider-aws-eks',
    version: 'v2.4.0',
    crds: ['eks.aws.m.upbound.io_nodegroups.yaml'],
  },
  {
    path: 'crossplane-contrib/provider-kubernetes',
    version: 'v1.2.1',
    crds: ['kubernetes.m.crossplane.io_objects.yaml', 'kubernetes.m.crossplane.io_observedobjectcollections.yaml'],
  },
];

export interface StubQuestion {
  readonly cli: string;
  readonly registry: string;
  /** The folder with the CRDs that providers publish. */
  readonly crds: string;
  readonly folder: string;
}

/** Builds and pushes packages with the CRDs of the providers, and sends Crossplane there for them. */
export async function installStubProviders(client: ApiClient, question: StubQuestion): Promise<void> {
  const { cli, registry, crds, folder } = question;
  for (const { path, version, crds: files } of stubProviders) {
    const name = path.split('/').at(-1) ?? '';
    const source = mkdtempSync(join(folder, `${name}-`));
    mkdirSync(join(source, 'crds'));
    // Like the real ones: their kinds become CRDs only when an activation policy names them.
    const spec = { capabilities: ['SafeStart'], crossplane: { version: '>=v2.0.0-0' } };
    const meta = { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: { name }, spec };
    writeFileSync(join(source, 'crossplane.yaml'), stringify(meta));
    for (const file of files) {
      const [crd] = readObjects(join(crds, file));
      writeFileSync(join(source, 'crds', file), stringify(crd));
    }
    const xpkg = join(folder, `${name}.xpkg`);
    runTool(cli, ['xpkg', 'build', '-f', source, '-o', xpkg]);
    runTool(cli, ['xpkg', 'push', '-f', xpkg, `${registry}/${path}:${version}`]);
  }
  for (const host of ['xpkg.upbound.io', 'xpkg.crossplane.io']) {
    await apply(client, {
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'ImageConfig',
      metadata: { name: host.replaceAll('.', '-') },
      spec: { matchImages: [{ type: 'Prefix', prefix: host }], rewriteImage: { prefix: registry } },
    });
  }
}

/** Installs the Configuration of a release, or upgrades to it. */
export async function installConfiguration(client: ApiClient, release: Release): Promise<void> {
  await apply(client, {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Configuration',
    metadata: { name: 'modelberth' },
    spec: { package: `${release.repository}/configuration:${release.version}` },
  });
}

/** Tells Crossplane where the process of a function listens, once it has installed the package. */
export async function announceFunction(client: ApiClient, release: Release, { name, address }: Announced) {
  const label = installedName(functionRepository(release, name));
  const revision = await until(
    `the package of ${name} is installed`,
    async () => {
      const found = await list(client, revisions);
      return found.find(
        ({ metadata, spec }) =>
          metadata.labels?.['pkg.crossplane.io/package'] === label &&
          readString(spec, ['image'])?.endsWith(`:${release.version}`),
      );
    },
    { seconds: 90 },
  );
  await playRuntime(client, revision, { endpoint: address });
}

/** Lets the providers install their kinds: nothing of them runs here. */
export async function announceProviders(client: ApiClient): Promise<void> {
  const kind = { apiVersion: 'pkg.crossplane.io/v1', kind: 'ProviderRevision' };
  const revisions = await until('the packages of the providers are installed', async () => {
    const found = await list(client, kind);
    return found.length === stubProviders.length ? found : undefined;
  });
  for (const revision of revisions) await playRuntime(client, revision, {});
}

/** Makes the Secret that core waits for before it installs what a package brings along; it reads no certificate of it. */
export async function createRuntimeSecret(client: ApiClient): Promise<void> {
  const data = Object.fromEntries(['ca.crt', 'tls.crt', 'tls.key'].map((name) => [name, 'cGxheWVk']));
  const metadata = { name: runtimeSecret, namespace: system };
  await apply(client, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    type: 'kubernetes.io/tls',
    data,
  } as KubernetesObject);
}

const runtimeSecret = 'package-runtime-tls';

/** Says of a revision what core's runtime controller would say, which `--package-runtime=External` leaves out. */
async function playRuntime(
  client: ApiClient,
  revision: KubernetesObject,
  status: Readonly<Record<string, unknown>>,
): Promise<void> {
  const lastTransitionTime = new Date().toISOString();
  const healthy = { type: 'RuntimeHealthy', status: 'True', reason: 'HealthyPackageRuntime', lastTransitionTime };
  const conditions = [...readList(revision, ['status', 'conditions']), healthy];
  const body = { status: { ...status, tlsServerSecretName: runtimeSecret, conditions } };
  const path = `${await pathOf(client, revision)}/status`;
  const answer = await client.call({ method: 'PATCH', path, body, type: 'application/merge-patch+json' });
  if (answer.status !== 200) throw new Error(`Cannot play the runtime of ${revision.metadata.name}: ${answer.status}`);
}

interface Announced {
  readonly name: FunctionName;
  readonly address: string;
}

/** Tells whether an object has a condition of a type with the status "True". */
export function isTrue(object: KubernetesObject | undefined, type: string): boolean {
  const conditions = readList(object, ['status', 'conditions']).filter(isRecord);
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}
