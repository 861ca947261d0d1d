import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { status } from '@grpc/grpc-js';
import { type Logger, pino } from 'pino';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { connect, createTrust, type FunctionClient, requestFor } from '../test/call-function.ts';
import {
  type CertificateFiles,
  certificateFiles,
  createAuthority,
  issueCertificate,
  mountCertificates,
} from '../test/certificates.ts';
import { composeNothing } from '../test/compose-nothing.ts';
import { type RunningServer, startServer } from './serve.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

let trust: ReturnType<typeof createTrust>;
let stranger: CertificateFiles;
let impostor: CertificateFiles;
beforeAll(() => {
  trust = createTrust();
  const issue = (name: string) => {
    const authority = createAuthority(name);
    return {
      ...certificateFiles(authority, issueCertificate(authority, 'crossplane')),
      'ca.crt': trust.client['ca.crt'],
    };
  };
  stranger = issue('another authority');
  impostor = issue('test authority');
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  opened.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

interface Started {
  readonly server: RunningServer;
  readonly folder: string;
  readonly logged: () => string;
}

async function start(): Promise<Started> {
  const folder = createFolder();
  mountCertificates(folder, trust.server);
  const { log, logged } = captureLog();
  const options = { address: '127.0.0.1:0', tlsServerCertsDir: folder, certificateCheckSeconds: 0.02, log };
  const server = await startServer({ name: 'gateway', compose: composeNothing, ...options });
  opened.push(server.stop);
  return { server, folder, logged };
}

function captureLog(): { log: Logger; logged: () => string } {
  const lines: string[] = [];
  return { log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }), logged: () => lines.join('') };
}

function connectWith(server: RunningServer, files?: Partial<CertificateFiles>): FunctionClient {
  const client = connect(server.address, files);
  opened.push(client.close);
  return client;
}

/** The certificate that a new connection is shown, PEM body without line ends. */
async function shownCertificate(server: RunningServer): Promise<string> {
  const socket = await new Promise<TLSSocket>((resolve, reject) => {
    const { 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key } = trust.client;
    const connecting = connectTls(
      { port: server.port, host: '127.0.0.1', ca, cert, key, rejectUnauthorized: false },
      () => resolve(connecting),
    );
    connecting.on('error', reject);
  });
  const { raw }: DetailedPeerCertificate = socket.getPeerCertificate(true);
  socket.destroy();
  return raw.toString('base64');
}

function body(pem: string): string {
  return pem.replace(/-----.*-----|\n/g, '');
}

test('a client whose certificate is of the same authority is answered', async () => {
  const { server } = await start();
  await expect(connectWith(server, trust.client).call(requestFor('ModelService'))).resolves.toBeDefined();
});

test.each([
  { name: 'without a certificate', files: () => ({ 'ca.crt': trust.client['ca.crt'] }) },
  { name: 'with a certificate of another authority', files: () => stranger },
  { name: 'with a certificate of another authority of the same name', files: () => impostor },
  { name: 'in plaintext', files: () => undefined },
])('a client $name is refused', async ({ files }) => {
  const { server } = await start();
  await expect(connectWith(server, files()).call(requestFor('ModelService'))).rejects.toMatchObject({
    code: status.UNAVAILABLE,
  });
});

test('new connections get a renewed certificate and open ones live on', async () => {
  const { server, folder, logged } = await start();
  const before = connectWith(server, trust.client);
  await before.call(requestFor('ModelService'));
  const authority = createAuthority('next authority');
  const renewed = certificateFiles(authority, issueCertificate(authority, 'function'));
  const client = certificateFiles(authority, issueCertificate(authority, 'crossplane'));

  mountCertificates(folder, renewed);
  await vi.waitFor(() => expect(logged()).toContain('Reloaded the server certificate'));

  await expect(shownCertificate(server)).resolves.toBe(body(renewed['tls.crt']));
  await expect(connectWith(server, client).call(requestFor('ModelService'))).resolves.toBeDefined();
  await expect(connectWith(server, trust.client).call(requestFor('ModelService'))).rejects.toMatchObject({
    code: status.UNAVAILABLE,
  });
  await expect(before.call(requestFor('ModelService'))).resolves.toBeDefined();
});

test.each([
  { name: 'a file is missing', spoil: (folder: string) => rmSync(join(folder, 'tls.key')) },
  {
    name: 'the key is of another certificate',
    spoil: (folder: string) => mountCertificates(folder, { ...trust.server, 'tls.key': stranger['tls.key'] }),
  },
  {
    name: 'the authority is empty',
    spoil: (folder: string) => mountCertificates(folder, { ...trust.server, 'ca.crt': '' }),
  },
])('the previous certificate stays in use, and the log says so once, while $name', async ({ spoil }) => {
  const { server, folder, logged } = await start();
  spoil(folder);
  await vi.waitFor(() => expect(logged()).toContain('the previous certificate stays in use'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(logged().match(/stays in use/g)).toHaveLength(1);
  await expect(shownCertificate(server)).resolves.toBe(body(trust.server['tls.crt']));
  await expect(connectWith(server, trust.client).call(requestFor('ModelService'))).resolves.toBeDefined();
});

test.each([
  {
    name: 'the folder is missing',
    spoil: (folder: string) => rmSync(join(folder, '..data')),
    want: /^Cannot read the server certificates in ".+": ENOENT.+ca\.crt.+--tls-server-certs-dir.+--insecure$/,
  },
  {
    name: 'a file is no certificate',
    spoil: (folder: string) => writeFileSync(join(folder, 'tls.crt'), 'hello'),
    want: /^Cannot use the server certificates in ".+": .+; want ca\.crt, tls\.crt and its tls\.key as PEM$/,
  },
  {
    name: 'the key is of another certificate',
    spoil: (folder: string) => writeFileSync(join(folder, 'tls.key'), stranger['tls.key']),
    want: /^Cannot use the server certificates in ".+": .*key values mismatch/,
  },
])('a server does not start, in plaintext neither, when $name', async ({ spoil, want }) => {
  const folder = createFolder();
  mountCertificates(folder, trust.server);
  spoil(folder);
  await expect(
    startServer({ name: 'gateway', compose: composeNothing, address: '127.0.0.1:0', tlsServerCertsDir: folder }),
  ).rejects.toThrow(want);
});
