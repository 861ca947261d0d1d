/**
 * A control plane on loopback: etcd, the API server, the controller manager and the scheduler, each a process of one
 * binary, with a folder and ports of its own, so that several may run side by side. There is no kubelet: `node-player.ts`
 * plays the nodes.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, issueCertificate } from '../../certificates.ts';
import { type ClusterAccess, connect } from './api-client.ts';
import { endProgram, freePort, type RunningProgram, startProgram, untilReady } from './child-process.ts';

export interface ControlPlane extends ClusterAccess {
  readonly folder: string;
  /** Kubeconfig of an administrator. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

const tokens = { admin: 'admin-token', controllers: 'controllers-token', scheduler: 'scheduler-token' } as const;

/** Starts a control plane and waits until it takes pods. Throws with the end of a log when it does not come up. */
export async function startControlPlane(binary: string): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'modelberth-cluster-'));
  const files = writeFiles(folder);
  const start = (name: string, args: readonly string[]) =>
    startProgram({ name, binary, args: [name, ...args], folder });
  const running: RunningProgram[] = [];
  const stop = async () => {
    // etcd last: without it the API server lingers for half a minute.
    for (const program of running.toReversed()) await endProgram(program);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const etcd = await startEtcd(start, running);
    const url = `https://127.0.0.1:${await freePort()}`;
    const access = { url, certificateAuthority: files.certificateAuthority, token: tokens.admin };
    const apiServer = start('kube-apiserver', apiServerArguments(url, etcd));
    running.push(apiServer);
    const client = connect(access);
    await untilReady(apiServer, async () => (await client.call({ method: 'GET', path: '/readyz' })).status === 200);
    const kubeconfigs = writeKubeconfigs(folder, url, files.certificateAuthority);
    const controllers = start('kube-controller-manager', controllerArguments(kubeconfigs.controllers));
    running.push(controllers, start('kube-scheduler', schedulerArguments(kubeconfigs.scheduler)));
    const account = '/api/v1/namespaces/default/serviceaccounts/default';
    await untilReady(controllers, async () => (await client.call({ method: 'GET', path: account })).status === 200);
    client.close();
    return { ...access, folder, kubeconfig: kubeconfigs.admin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function writeFiles(folder: string): { readonly certificateAuthority: string } {
  const authority = createAuthority('modelberth cluster test');
  const serving = issueCertificate(authority, 'kube-apiserver');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const users = [
    `${tokens.admin},admin,admin,"system:masters"`,
    `${tokens.controllers},system:kube-controller-manager,controllers`,
    `${tokens.scheduler},system:kube-scheduler,scheduler`,
  ];
  const files = {
    'ca.crt': authority.certificate,
    'tls.crt': serving.certificate,
    'tls.key': serving.privateKey,
    'sa.key': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'sa.pub': publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    'tokens.csv': `${users.join('\n')}\n`,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, { mode: 0o600 });
  return { certificateAuthority: authority.certificate };
}

async function startEtcd(
  start: (name: string, args: readonly string[]) => RunningProgram,
  running: RunningProgram[],
): Promise<string> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  const etcd = start('etcd', [
    '--data-dir=etcd-data',
    '--unsafe-no-fsync',
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ]);
  running.push(etcd);
  await untilReady(etcd, () => isHealthy(`${url}/health`));
  return url;
}

function isHealthy(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

function apiServerArguments(url: string, etcd: string): readonly string[] {
  return [
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${new URL(url).port}`,
    '--tls-cert-file=tls.crt',
    '--tls-private-key-file=tls.key',
    '--service-cluster-ip-range=10.0.0.0/16',
    // A loopback address is no legal endpoint for the Service "kubernetes".
    '--endpoint-reconciler-type=none',
    '--authorization-mode=RBAC',
    '--token-auth-file=tokens.csv',
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-account-key-file=sa.pub',
    '--service-account-signing-key-file=sa.key',
    '--profiling=false',
  ];
}

/** More requests a second than by default: these tests roll a hundred workloads at once. */
const eager = ['--kube-api-qps=300', '--kube-api-burst=600', '--leader-elect=false', '--secure-port=0'];

function controllerArguments(kubeconfig: string): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    '--use-service-account-credentials=true',
    '--service-account-private-key-file=sa.key',
    '--root-ca-file=ca.crt',
    '--profiling=false',
    ...eager,
  ];
}

function schedulerArguments(kubeconfig: string): readonly string[] {
  return [`--kubeconfig=${kubeconfig}`, '--profiling=false', ...eager];
}

function writeKubeconfigs(
  folder: string,
  server: string,
  certificateAuthority: string,
): Readonly<Record<keyof typeof tokens, string>> {
  const write = (name: keyof typeof tokens): string => {
    const path = join(folder, `${name}.kubeconfig`);
    const data = Buffer.from(certificateAuthority).toString('base64');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': data } }],
      users: [{ name: 'test', user: { token: tokens[name] } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      'current-context': 'test',
    };
    writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  };
  return { admin: write('admin'), controllers: write('controllers'), scheduler: write('scheduler') };
}
