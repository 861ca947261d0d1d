/**
 * The defects of the server of @crossplane-org/function-sdk-typescript 0.7.0, each shown there and absent here. When a
 * control fails after an upgrade, the SDK has mended it: read again whether its server can be used.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getServerCredentials, parseArgs } from '@crossplane-org/function-sdk-typescript';
import { status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../functions/serve.ts';
import { connect, createTrust, type FunctionClient, requestFor } from '../call-function.ts';
import { type CertificateFiles, mountCertificates } from '../certificates.ts';
import { composeNothing } from '../compose-nothing.ts';
import { runServe, type ServeProcess } from '../serve-process.ts';

const ours = fileURLToPath(new URL('../serve-sample.ts', import.meta.url));
const theirs = fileURLToPath(new URL('sdk-server.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
const trust = createTrust();
beforeAll(() => mountCertificates(folder, trust.server));
afterAll(() => rmSync(folder, { recursive: true }));

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

function run(script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): ServeProcess {
  const served = runServe(script, args, env);
  opened.push(() => served.child.kill('SIGKILL'));
  return served;
}

function connectTo(address: string, files?: Partial<CertificateFiles>): FunctionClient {
  const client = connect(address, files);
  opened.push(client.close);
  return client;
}

/** A port that nobody listens on: the SDK does not say which one it got. */
async function findPort(): Promise<number> {
  const server = await startServer({
    name: 'gateway',
    compose: composeNothing,
    address: '127.0.0.1:0',
    insecure: true,
  });
  await server.stop();
  return server.port;
}

async function untilLogged(served: ServeProcess, text: string): Promise<void> {
  while (!served.output().includes(text) && served.child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(served.output()).toContain(text);
}

describe('the SDK answers a client without a certificate', () => {
  const withoutCertificate = { 'ca.crt': trust.client['ca.crt'] };

  test('the SDK does', async () => {
    const address = `127.0.0.1:${await findPort()}`;
    const served = run(theirs, ['--address', address, '--tls-server-certs-dir', folder]);
    await untilLogged(served, 'listening');
    await expect(connectTo(address, withoutCertificate).call(requestFor('ModelService'))).resolves.toBeDefined();
  });

  test('ours refuses it', async () => {
    const served = run(ours, ['gateway', '--address', '127.0.0.1:0', '--tls-server-certs-dir', folder]);
    const address = await served.listening();
    await expect(connectTo(address, withoutCertificate).call(requestFor('ModelService'))).rejects.toMatchObject({
      code: status.UNAVAILABLE,
    });
    await expect(connectTo(address, trust.client).call(requestFor('ModelService'))).resolves.toBeDefined();
  });
});

describe('the SDK serves plaintext when nothing was said about certificates', () => {
  test('the SDK does', () => {
    expect(getServerCredentials({ address: '127.0.0.1:0' })._isSecure()).toBe(false);
    expect(getServerCredentials({ address: '127.0.0.1:0', tlsServerCertsDir: '' })._isSecure()).toBe(false);
  });

  test.each([
    { name: 'nothing was said', options: {} },
    { name: 'the folder is ""', options: { tlsServerCertsDir: '' } },
  ])('ours does not start when $name', async ({ options }) => {
    const started = startServer({ name: 'gateway', compose: composeNothing, address: '127.0.0.1:0', ...options });
    await expect(started).rejects.toThrow(/^Cannot read the server certificates in "/);
  });
});

describe('the SDK ends with 0 when it cannot bind', () => {
  test.each([
    { name: 'the SDK does', script: theirs, args: [], want: 0 },
    { name: 'ours ends with 1', script: ours, args: ['gateway'], want: 1 },
  ])('$name', async ({ script, args, want }) => {
    const first = run(ours, ['gateway', '--insecure', '--address', '127.0.0.1:0']);
    const address = await first.listening();
    const second = run(script, [...args, '--insecure', '--address', address]);
    await expect(second.exitCode()).resolves.toBe(want);
    expect(second.output()).toContain('EADDRINUSE');
  });
});

describe('the SDK cannot bind the address ":PORT", which it documents', () => {
  test('the SDK cannot', async () => {
    const served = run(theirs, ['--insecure', '--address', `:${await findPort()}`]);
    await expect(served.exitCode()).resolves.toBe(0);
    expect(served.output()).toContain('server bind error');
  });

  test('ours listens on every IPv4 address', async () => {
    const port = await findPort();
    const served = run(ours, ['gateway', '--insecure', '--address', `:${port}`]);
    await expect(served.listening()).resolves.toBe(`0.0.0.0:${port}`);
    await expect(connectTo(`127.0.0.1:${port}`).call(requestFor('ModelService'))).resolves.toBeDefined();
  });
});

describe('the SDK ignores TLS_SERVER_CERTS_DIR, which Crossplane sets', () => {
  test('the SDK does', () => {
    process.env.TLS_SERVER_CERTS_DIR = folder;
    opened.push(() => delete process.env.TLS_SERVER_CERTS_DIR);
    expect(parseArgs([]).tlsServerCertsDir).toBe('/tls/server');
  });

  test('ours reads it', async () => {
    const served = run(ours, ['gateway', '--address', '127.0.0.1:0'], { TLS_SERVER_CERTS_DIR: folder });
    const { call } = connectTo(await served.listening(), trust.client);
    await expect(call(requestFor('ModelService'))).resolves.toBeDefined();
  });
});
