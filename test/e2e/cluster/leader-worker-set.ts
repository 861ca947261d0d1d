import { mkdirSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { dirname, join } from 'node:path';
import { isRecord, type KubernetesObject, readList, readString } from '../../../domain/kubernetes/object.ts';
import { createAuthority, issueCertificate } from '../../certificates.ts';
import { readObjects } from '../../render/read-cases.ts';
import { type ApiClient, apply } from './api-client.ts';
import { freePort, type RunningProgram, startProgram, untilReady } from './child-process.ts';
import type { ControlPlane } from './control-plane.ts';

/**
 * Starts the controller of LeaderWorkerSet outside of the cluster and registers its webhooks, which set defaults and the
 * labels of a gang: without them the controller of 0.8 panics. They cover all pods and fail closed, so it starts first.
 */
export async function startLeaderWorkerSet(
  binary: string,
  client: ApiClient,
  controlPlane: ControlPlane,
): Promise<RunningProgram> {
  const folder = join(controlPlane.folder, 'lws');
  mkdirSync(folder);
  const authority = createAuthority('modelberth webhook test');
  const { certificate, privateKey } = issueCertificate(authority, 'lws-webhook');
  writeFileSync(join(folder, 'tls.crt'), certificate);
  writeFileSync(join(folder, 'tls.key'), privateKey, { mode: 0o600 });
  const port = await freePort();
  const config = join(folder, 'config.yaml');
  writeFileSync(config, JSON.stringify(configuration(folder, port)));
  await apply(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lws-system' } });
  const args = ['--config', config, '--kubeconfig', controlPlane.kubeconfig];
  const program = startProgram({ name: 'lws-manager', binary, args, folder });
  await untilReady(program, () => isListening(port));
  for (const webhook of readObjects(join(dirname(binary), 'manifests.yaml')))
    await apply(client, outside(webhook, `https://127.0.0.1:${port}`, authority.certificate));
  return program;
}

function configuration(folder: string, port: number): Record<string, unknown> {
  return {
    apiVersion: 'config.lws.x-k8s.io/v1alpha1',
    kind: 'Configuration',
    leaderElection: { leaderElect: false },
    internalCertManagement: { enable: false },
    clientConnection: { qps: 300, burst: 600 },
    webhook: { host: '127.0.0.1', port, certDir: folder },
    metrics: { bindAddress: '0' },
    health: { healthProbeBindAddress: '0' },
  };
}

/** A webhook configuration that calls a URL in place of a Service of the cluster. */
function outside(configured: KubernetesObject, url: string, authority: string): KubernetesObject {
  const webhooks = readList(configured, ['webhooks'])
    .filter(isRecord)
    .map((webhook) => {
      const path = readString(webhook, ['clientConfig', 'service', 'path']) ?? '';
      return {
        ...webhook,
        clientConfig: { url: `${url}${path}`, caBundle: Buffer.from(authority).toString('base64') },
      };
    });
  return { ...configured, webhooks } as KubernetesObject;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1');
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
