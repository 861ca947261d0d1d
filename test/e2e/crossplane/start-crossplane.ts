/**
 * The real core and its RBAC manager outside of a cluster, each under its own service account with the rights of the
 * chart and of our ClusterRole. Functions and providers are not run by it (`--package-runtime=External`).
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type KubernetesObject, readList, readString } from '../../../domain/kubernetes/object.ts';
import { runTool } from '../../../scripts/package/run-tool.ts';
import { type Authority, certificateFiles, issueCertificate, mountCertificates } from '../../certificates.ts';
import { readObjects, root } from '../../render/read-cases.ts';
import { type ApiClient, apply } from '../cluster/api-client.ts';
import { endProgram, freePort, type RunningProgram, startProgram, untilReady } from '../cluster/child-process.ts';
import type { ControlPlane } from '../cluster/control-plane.ts';
import { until } from '../cluster/until.ts';
import { coreFolder, readChartRights } from './core-module.ts';

export const system = 'crossplane-system';

export interface Crossplane {
  /** Where the metrics of core are. */
  readonly metricsPort: number;
  stop(): Promise<void>;
}

export interface CrossplaneQuestion {
  readonly binary: string;
  readonly client: ApiClient;
  readonly controlPlane: ControlPlane;
  /** Signs the certificates of core; that of the functions' servers has to be of the same. */
  readonly authority: Authority;
}

/** Installs Crossplane and starts it. Throws with the end of a log when it does not come up. */
export async function startCrossplane(question: CrossplaneQuestion): Promise<Crossplane> {
  const { binary, client, controlPlane, authority } = question;
  const sources = coreFolder();
  const folder = join(controlPlane.folder, 'crossplane');
  for (const name of ['client', 'webhook', 'xpkg']) mkdirSync(join(folder, name), { recursive: true });
  const files = (subject: string) => certificateFiles(authority, issueCertificate(authority, subject));
  mountCertificates(join(folder, 'client'), files('crossplane'));
  mountCertificates(join(folder, 'webhook'), files('crossplane-webhook'));
  await apply(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: system } });
  for (const object of readChartRights(sources)) await apply(client, object);
  await initialise({ binary, controlPlane, sources });
  // Before the Configuration, as the install guide says.
  for (const file of ['crossplane.yaml', 'teams.yaml'])
    for (const role of readObjects(join(root, 'package/rbac', file))) await apply(client, role);
  const [metricsPort, webhookPort] = [await freePort(), await freePort()];
  const core = await start(question, folder, [
    'core',
    'start',
    '--debug',
    '--package-runtime=External',
    '--enable-webhooks',
    `--webhook-port=${webhookPort}`,
    `--tls-server-certs-dir=${join(folder, 'webhook')}`,
    `--tls-client-certs-dir=${join(folder, 'client')}`,
    `--metrics-port=${metricsPort}`,
    `--health-probe-port=${await freePort()}`,
    `--xpkg-cache-dir=${join(folder, 'xpkg')}`,
  ]);
  await untilReady(core, async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).ok);
  const manager = await start(question, folder, [
    'rbac',
    'start',
    '--debug',
    '--provider-clusterrole=crossplane:allowed-provider-permissions',
  ]);
  await protectUsed(client, { sources, url: `https://127.0.0.1:${webhookPort}`, authority });
  const stop = async () => {
    for (const program of [core, manager]) await endProgram(program);
  };
  return { metricsPort, stop };
}

/** `core init` fails once on a new API server, which knows the CRDs a moment later. */
async function initialise({ binary, controlPlane, sources }: Initialise): Promise<void> {
  const environment = [
    `KUBECONFIG=${controlPlane.kubeconfig}`,
    `POD_NAMESPACE=${system}`,
    `CRDS_PATH=${join(sources, 'cluster/crds')}`,
    'ENABLE_WEBHOOKS=false',
    'TLS_CA_SECRET_NAME=crossplane-root-ca',
    'TLS_CLIENT_SECRET_NAME=crossplane-tls-client',
  ];
  await until('core init ends well', async () => {
    try {
      runTool('env', [...environment, binary, 'core', 'init']);
      return true;
    } catch {
      return undefined;
    }
  });
}

interface Initialise {
  readonly binary: string;
  readonly controlPlane: ControlPlane;
  readonly sources: string;
}

async function start(
  { binary, client, controlPlane }: CrossplaneQuestion,
  folder: string,
  args: readonly string[],
): Promise<RunningProgram> {
  const account = args[0] === 'rbac' ? 'rbac-manager' : 'crossplane';
  const kubeconfig = await writeKubeconfig(client, controlPlane, account);
  const environment = [`KUBECONFIG=${kubeconfig}`, `POD_NAMESPACE=${system}`, `POD_SERVICE_ACCOUNT=${account}`];
  return startProgram({ name: account, binary: 'env', args: [...environment, binary, ...args], folder });
}

/** A kubeconfig with a token of a service account, so that the program has its rights and no other. */
async function writeKubeconfig(client: ApiClient, { folder, url, certificateAuthority }: ControlPlane, name: string) {
  const path = `/api/v1/namespaces/${system}/serviceaccounts/${name}/token`;
  const spec = { expirationSeconds: 8 * 3600 };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const answer = await client.call({ method: 'POST', path, body });
  const token = readString(answer.body, ['status', 'token']);
  if (token === undefined) throw new Error(`Cannot get a token of ${name}: ${JSON.stringify(answer.body)}`);
  const data = Buffer.from(certificateAuthority).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority-data': data } }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  };
  const file = join(folder, `${name}-account.kubeconfig`);
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

interface Protect {
  readonly sources: string;
  readonly url: string;
  readonly authority: Authority;
}

/** Registers the webhook that refuses to delete what a Usage names, by a URL in place of its Service. */
async function protectUsed(client: ApiClient, { sources, url, authority }: Protect): Promise<void> {
  const folder = join(sources, 'cluster/webhookconfigurations');
  for (const file of readdirSync(folder).filter((name) => name === 'usage.yaml')) {
    for (const configured of readObjects(join(folder, file))) await apply(client, outside(configured, url, authority));
  }
}

function outside(configured: KubernetesObject, url: string, { certificate }: Authority): KubernetesObject {
  const caBundle = Buffer.from(certificate).toString('base64');
  const webhooks = readList(configured, ['webhooks'])
    .filter(isRecord)
    .map((webhook) => ({ ...webhook, clientConfig: { url: `${url}/validate-no-usages`, caBundle } }));
  return { ...configured, webhooks } as KubernetesObject;
}
