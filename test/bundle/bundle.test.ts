import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle.ts';
import { connect, createTrust, requestFor } from '../call-function.ts';
import { mountCertificates } from '../certificates.ts';
import { runServe } from '../serve-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
const outfile = join(folder, 'main.mjs');
const certificates = join(folder, 'certificates');
const trust = createTrust();

beforeAll(async () => {
  mountCertificates(certificates, trust.server);
  await bundle(outfile);
});
afterAll(() => rmSync(folder, { recursive: true }));

const opened: (() => unknown)[] = [];
afterEach(() => {
  for (const close of opened.splice(0).reverse()) close();
});

/** The kind of the first claim that each function sees. */
const kinds = [
  { name: 'placement', kind: 'InferenceClass' },
  { name: 'engine-config', kind: 'ModelReplica' },
  { name: 'rollout-strategy', kind: 'ModelDeployment' },
  { name: 'gateway', kind: 'ModelService' },
] as const;

test.each(kinds)('the bundle serves $name to a client with a certificate, and to no other', async ({ name, kind }) => {
  const where = ['--address', '127.0.0.1:0', '--metrics-address', '127.0.0.1:0'];
  const served = runServe(outfile, [name, ...where], { TLS_SERVER_CERTS_DIR: certificates });
  opened.push(() => served.child.kill('SIGKILL'));
  const address = await served.listening();
  const trusted = connect(address, trust.client);
  const nameless = connect(address, { 'ca.crt': trust.client['ca.crt'] });
  opened.push(trusted.close, nameless.close);

  const { meta, desired, results } = await trusted.call(requestFor(kind));
  expect({ tag: meta?.tag, kind: desired?.composite?.resource?.kind }).toEqual({ tag: 'sample', kind });
  expect(results.filter(({ reason }) => reason === 'InternalError')).toEqual([]);
  await expect(nameless.call(requestFor(kind))).rejects.toMatchObject({ code: status.UNAVAILABLE });

  const port = /"metricsPort":(\d+)/.exec(served.output())?.[1];
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain(`modelberth_function_requests_total{function="${name}",kind="${kind}"} 1`);

  served.child.kill('SIGTERM');
  await expect(served.exitCode()).resolves.toBe(0);
});
