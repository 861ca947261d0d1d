import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { status } from '@grpc/grpc-js';
import { Command, type CommanderError } from 'commander';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { connect, createTrust, holdCall, requestFor } from '../test/call-function.ts';
import { mountCertificates } from '../test/certificates.ts';
import { composeNothing } from '../test/compose-nothing.ts';
import { runServe, type ServeProcess } from '../test/serve-process.ts';
import { startServer } from './serve.ts';
import { createServeCommand, exitCodeOf } from './serve-command.ts';
import { createServeFlags, type ServeFlags } from './serve-flags.ts';

const script = fileURLToPath(new URL('../test/serve-sample.ts', import.meta.url));
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): ServeProcess {
  const served = runServe(script, args, env);
  opened.push(() => served.child.kill('SIGKILL'));
  return served;
}

/** Parses flags in this process: what would be written, and the exit code. */
async function parse(args: readonly string[]): Promise<{ exitCode: number; written: string }> {
  const command = createServeCommand({
    placement: composeNothing,
    'engine-config': composeNothing,
    'rollout-strategy': composeNothing,
    gateway: composeNothing,
  });
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  command.configureOutput({ writeOut: write, writeErr: write }).exitOverride();
  const error = await command.parseAsync(args, { from: 'user' }).catch((thrown: CommanderError) => thrown);
  return { exitCode: exitCodeOf(error as CommanderError), written };
}

const insecure = ['placement', '--insecure', '--address', '127.0.0.1:0'];

describe('signals', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s lets a call in flight finish and ends with 0', async (signal) => {
    const served = run(insecure);
    const held = await holdCall(await served.listening(), requestFor('ModelReplica'));
    served.child.kill(signal);
    while (!served.output().includes('Draining')) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(served.child.exitCode).toBeNull();
    await expect(held.finish()).resolves.toBe('0');
    await expect(served.exitCode()).resolves.toBe(0);
  });

  test('a call that does not finish is cut off at --shutdown-timeout, and the process ends with 0', async () => {
    const served = run([...insecure, '--shutdown-timeout', '1']);
    await holdCall(await served.listening(), requestFor('ModelReplica'));
    const began = Date.now();
    served.child.kill('SIGTERM');
    await expect(served.exitCode()).resolves.toBe(0);
    expect(Date.now() - began).toBeGreaterThanOrEqual(990);
    expect(served.output()).toContain('Cutting off the calls that did not finish in time');
  });

  test('a second signal ends the process at once', async () => {
    const served = run(insecure);
    await holdCall(await served.listening(), requestFor('ModelReplica'));
    served.child.kill('SIGTERM');
    while (!served.output().includes('Draining')) await new Promise((resolve) => setTimeout(resolve, 10));
    served.child.kill('SIGTERM');
    await expect(served.exitCode()).resolves.toBeNull();
    expect(served.child.signalCode).toBe('SIGTERM');
  });
});

describe('a process that cannot start ends with 1', () => {
  test('and names the address when the port is taken', async () => {
    const log = pino({ level: 'silent' });
    const other = await startServer({
      name: 'placement',
      compose: composeNothing,
      address: '127.0.0.1:0',
      insecure: true,
      log,
    });
    opened.push(other.stop);
    const served = run(['placement', '--insecure', '--address', other.address]);
    await expect(served.exitCode()).resolves.toBe(1);
    expect(served.output()).toContain(`Cannot listen on ${other.address}: listen EADDRINUSE`);
  });

  test('and names the folder when there are no certificates and plaintext was not asked for', async () => {
    const served = run(['placement', '--address', '127.0.0.1:0', '--tls-server-certs-dir', '/nowhere']);
    await expect(served.exitCode()).resolves.toBe(1);
    expect(served.output()).toMatch(/^Cannot read the server certificates in "\/nowhere": ENOENT/);
  });
});

describe('bad usage ends with 2', () => {
  test.each([
    { name: 'no function', args: [], want: "missing required argument 'function'" },
    {
      name: 'a misspelt function',
      args: ['placment'],
      want: 'Cannot serve "placment": no such function; did you mean "placement"?',
    },
    { name: 'another word', args: ['x'], want: 'want one of placement, engine-config, rollout-strategy, gateway' },
    { name: 'an unknown flag', args: ['gateway', '--insecur'], want: 'Did you mean --insecure?' },
    {
      name: 'an address without port',
      args: ['gateway', '--address', 'localhost'],
      want: 'Want HOST:PORT, e.g. "0.0.0.0:9443" or ":9443"',
    },
    {
      name: 'a time that is none',
      args: ['gateway', '--now', 'yesterday'],
      want: "'yesterday' is invalid. Want an RFC 3339 time",
    },
    {
      name: 'a TTL above 60 s',
      args: ['gateway', '--ttl', '61'],
      want: "'61' is invalid. Want a whole number from 5 to 60",
    },
    {
      name: 'a size of nothing',
      args: ['gateway', '--max-recv-message-size', '0'],
      want: "'0' is invalid. Want a whole number from 1 to 2047",
    },
    {
      name: 'an unknown level',
      args: ['gateway', '--log-level', 'loud'],
      want: 'Allowed choices are debug, info, warn, error, silent',
    },
  ])('$name', async ({ args, want }) => {
    expect(await parse(args)).toEqual({ exitCode: 2, written: expect.stringContaining(want) });
  });

  test('in a process too', async () => {
    const served = run(['placment']);
    await expect(served.exitCode()).resolves.toBe(2);
    expect(served.output()).toBe('Cannot serve "placment": no such function; did you mean "placement"?\n');
  });
});

test('--help has an example, every default, every exit code, and ends with 0', async () => {
  const { exitCode, written } = await parse(['--help']);
  expect(exitCode).toBe(0);
  expect(written).toMatch(/\nExample:\n {2}modelberth serve placement --insecure --address 127\.0\.0\.1:9443\n/);
  expect(written).toMatch(
    /\nExit codes: 0 a signal stopped it, 1 it cannot start, e\.g\. the address is taken, 2 bad usage\n$/,
  );
  for (const stated of ['"0.0.0.0:9443"', '"/tls/server", env: TLS_SERVER_CERTS_DIR', '32', '60', '25', '"info"']) {
    expect(written.replace(/\s+/g, ' ')).toContain(`default: ${stated}`);
  }
});

test('the flags of examples/runtime are ours, and give the probes what they ask for', () => {
  const file = new URL('../examples/runtime/deployment-runtime-config.yaml', import.meta.url);
  const config = parseYaml(readFileSync(file, 'utf8'));
  const [container] = config.spec.deploymentTemplate.spec.template.spec.containers;
  const command = new Command().exitOverride();
  for (const flag of createServeFlags()) command.addOption(flag);
  const flags: ServeFlags = command.parse(container.args, { from: 'user' }).opts();
  // Core names the container port 8080 "metrics" (crossplane v2.4.0, internal/controller/pkg/runtime, read 2026-12-02).
  expect(flags.metricsAddress).toBe(':8080');
  expect(container.readinessProbe.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
});

describe('flags reach the server', () => {
  test('the fixed clock and the longest TTL', async () => {
    const served = run([...insecure, '--now', '2026-11-30T08:00:00+01:00', '--ttl', '9']);
    const { call, close } = connect(await served.listening());
    opened.push(close);
    const response = await call(requestFor('ModelReplica'));
    expect(response.desired?.composite?.resource).toHaveProperty('status.now', '2026-11-30T07:00:00.000Z');
    expect(response.meta?.ttl?.seconds).toBe(9);
  });

  test.each([
    { allowed: 4, name: 'refuses', want: status.RESOURCE_EXHAUSTED },
    { allowed: 8, name: 'accepts', want: status.OK },
  ])('--max-recv-message-size $allowed $name a request of 5 MiB, and the process lives', async ({ allowed, want }) => {
    const served = run([...insecure, '--max-recv-message-size', String(allowed)]);
    const { call, close } = connect(await served.listening());
    opened.push(close);
    const code = await call(requestFor('ModelReplica', { filler: 'x'.repeat(5 * 1024 * 1024) })).then(
      () => status.OK,
      (error) => error.code,
    );
    expect(code).toBe(want);
    await expect(call(requestFor('ModelReplica'))).resolves.toBeDefined();
  });

  test(':PORT listens on every IPv4 address', async () => {
    const served = run(['placement', '--insecure', '--address', ':0']);
    const address = await served.listening();
    expect(address).toMatch(/^0\.0\.0\.0:\d+$/);
    const { call, close } = connect(address.replace('0.0.0.0', '127.0.0.1'));
    opened.push(close);
    await expect(call(requestFor('ModelReplica'))).resolves.toBeDefined();
  });

  test.each([
    { name: 'TLS_SERVER_CERTS_DIR', where: (folder: string) => ({ args: [], env: { TLS_SERVER_CERTS_DIR: folder } }) },
    {
      name: '--tls-server-certs-dir, before TLS_SERVER_CERTS_DIR',
      where: (folder: string) => ({
        args: ['--tls-server-certs-dir', folder],
        env: { TLS_SERVER_CERTS_DIR: '/nowhere' },
      }),
    },
  ])('the certificates of $name', async ({ where }) => {
    const trust = createTrust();
    const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
    opened.push(() => rmSync(folder, { recursive: true }));
    mountCertificates(folder, trust.server);
    const { args, env } = where(folder);
    const served = run(['placement', '--address', '127.0.0.1:0', ...args], env);
    const { call, close } = connect(await served.listening(), trust.client);
    opened.push(close);
    await expect(call(requestFor('ModelReplica'))).resolves.toBeDefined();
  });

  test('the log level: each call is one JSON line with the XR and the duration, and no body', async () => {
    const served = run([...insecure, '--log-level', 'debug']);
    const { call, close } = connect(await served.listening());
    opened.push(close);
    await call(requestFor('ModelReplica', { secret: 'not for logs' }));
    while (!served.output().includes('Answered')) await new Promise((resolve) => setTimeout(resolve, 10));
    const line =
      served
        .output()
        .split('\n')
        .find((text) => text.includes('Answered')) ?? '';
    expect(JSON.parse(line)).toEqual({
      level: 'debug',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      function: 'placement',
      kind: 'ModelReplica',
      namespace: 'team-a',
      name: 'sample',
      milliseconds: expect.any(Number),
      message: 'Answered',
    });
    expect(served.output()).not.toContain('not for logs');
  });
});
