/** A gateway that runs: Envoy Gateway alone or under the AI gateway, with a real Envoy and mock engines. */
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import type { GatewayToolbox } from '../../../scripts/tool-cache.ts';
import { findLogged, type LogLine, readAccessLog } from './access-log.ts';
import { vendorHost } from './claims.ts';
import type { GatewaySockets } from './gateway-client.ts';
import { readGatewayToolbox } from './gateway-toolbox.ts';
import { type MockEngine, startMockEngine } from './mock-engine.ts';
import { type NetworkNamespace, openNamespace } from './network-namespace.ts';
import type { Relay } from './relay.ts';
import { listenerPort, type Tier, toStandalone } from './to-standalone.ts';
import { startSeconds, untilReady } from './until-ready.ts';

/** The version of Envoy that Envoy Gateway 1.9.0 looks for; the binary in its place may be a later patch. */
const wantedEnvoy = '1.39.0';

/** The mock engines: one replica of each model of the example, and the vendor. */
export const engineHosts = {
  mimo: 'mimo-0.coding.svc.cluster.local',
  qwen: 'qwen-0.coding.svc.cluster.local',
  vendor: vendorHost,
} as const;
export type EngineName = keyof typeof engineHosts;

const enginePorts: Readonly<Record<EngineName, number>> = { mimo: 9101, qwen: 9102, vendor: 9103 };

export interface RunningGateway {
  readonly sockets: GatewaySockets;
  readonly engines: Readonly<Record<EngineName, MockEngine>>;
  /** Ends an engine; what connects to it is refused from then on. */
  readonly stopEngine: (name: EngineName) => void;
  /** Gives the gateway other objects; those that are gone stay until a restart, as its file provider merges. */
  readonly apply: (rendered: readonly KubernetesObject[], beside: readonly KubernetesObject[]) => void;
  /** The latest line of the access log that has these fields; Envoy writes it about once in ten seconds. */
  readonly logged: (fields: LogLine) => Promise<LogLine>;
  /** The lines of the access log. */
  readonly accessLog: () => readonly LogLine[];
  /** Counters and gauges of Envoy. */
  readonly statistics: () => Promise<ReadonlyMap<string, number>>;
  readonly close: () => Promise<void>;
}

export interface GatewayStart {
  readonly tier: Tier;
  readonly rendered: readonly KubernetesObject[];
  readonly beside: readonly KubernetesObject[];
  readonly drainSeconds?: number;
}

/** Starts a gateway and waits until it answers. Throws with its log when it does not. */
export async function startGateway(start: GatewayStart): Promise<RunningGateway> {
  const run = mkdtempSync(join(tmpdir(), 'modelberth-gateway-'));
  const engines = await startEngines(run);
  const sockets = { https: join(run, 'https.sock'), http: join(run, 'http.sock') };
  const namespace = await openNamespace(relaysOf(run, sockets));
  const gateway = { run, namespace, start, toolbox: readGatewayToolbox() };
  const log: string[] = [];
  const apply = (start.tier === 'EnvoyGateway' ? startEnvoyGateway : startAiGateway)(gateway, log);
  const close = async () => {
    await namespace.close();
    for (const engine of Object.values(engines)) engine.close();
    rmSync(run, { recursive: true, force: true });
  };
  try {
    await untilReady(sockets);
  } catch {
    await close();
    throw new Error(`Cannot start ${start.tier}: no answer within ${startSeconds} s\n${log.join('').slice(-8000)}`);
  }
  return {
    sockets,
    engines,
    stopEngine: (name) => {
      namespace.refuse(enginePorts[name]);
      engines[name].close();
    },
    apply,
    logged: (fields) => findLogged(run, fields),
    accessLog: () => readAccessLog(run),
    statistics: () => readStatistics(gateway),
    close,
  };
}

function engineSocket(run: string, name: string): string {
  return join(run, `${name}.sock`);
}

async function startEngines(run: string): Promise<Readonly<Record<EngineName, MockEngine>>> {
  const [mimo, qwen, vendor] = await Promise.all(
    (['mimo', 'qwen', 'vendor'] as const).map((name) => startMockEngine(engineSocket(run, name))),
  );
  if (mimo === undefined || qwen === undefined || vendor === undefined) throw new Error('Cannot start the engines');
  return { mimo, qwen, vendor };
}

function relaysOf(run: string, sockets: GatewaySockets): readonly Relay[] {
  const inward = [
    { from: sockets.https, to: listenerPort.https },
    { from: sockets.http, to: listenerPort.http },
  ];
  return [...inward, ...Object.entries(enginePorts).map(([name, from]) => ({ from, to: engineSocket(run, name) }))];
}

interface Gateway {
  readonly run: string;
  readonly namespace: NetworkNamespace;
  readonly start: GatewayStart;
  readonly toolbox: GatewayToolbox;
}

function standalone({ run, start }: Gateway, rendered: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const engines = Object.fromEntries(
    Object.entries(engineHosts).map(([name, host]) => [host, enginePorts[name as EngineName]]),
  );
  const { tier, drainSeconds = 5 } = start;
  return toStandalone(rendered, { tier, engines, accessLog: join(run, 'access.log'), drainSeconds });
}

/** Puts a file in its place at once; the provider ignores names that begin with a dot. */
function place(folder: string, name: string, objects: readonly KubernetesObject[]): void {
  const partial = join(folder, `.${name}`);
  writeFileSync(partial, objects.map((object) => stringify(object)).join('---\n'));
  renameSync(partial, join(folder, name));
}

/** Envoy where Envoy Gateway looks before it would download one. */
function linkEnvoy(dataHome: string, envoy: string): void {
  const folder = join(dataHome, 'envoy-versions', wantedEnvoy, 'bin');
  mkdirSync(folder, { recursive: true });
  symlinkSync(envoy, join(folder, 'envoy'));
}

function startEnvoyGateway(gateway: Gateway, log: string[]): RunningGateway['apply'] {
  const { run, namespace, start, toolbox } = gateway;
  linkEnvoy(join(run, 'data'), toolbox.envoy);
  const resources = join(run, 'resources');
  mkdirSync(resources);
  const apply: RunningGateway['apply'] = (rendered, beside) =>
    place(resources, 'objects.yaml', [...standalone(gateway, rendered), ...beside]);
  apply(start.rendered, start.beside);
  writeFileSync(join(run, 'envoy-gateway.yaml'), stringify(envoyGatewayConfig(run, resources)));
  const server = [toolbox.envoyGateway, 'server', '--config-path', join(run, 'envoy-gateway.yaml')];
  // The certificates between Envoy Gateway and Envoy; without them it does not start.
  const certificates = `${toolbox.envoyGateway} certgen --local --config-home ${join(run, 'config')}`;
  keepLog(namespace.start(['sh', '-c', `${certificates} && exec "$@"`, 'sh', ...server]), log);
  return apply;
}

function envoyGatewayConfig(run: string, resources: string): unknown {
  const host = {
    dataHome: join(run, 'data'),
    stateHome: join(run, 'state'),
    configHome: join(run, 'config'),
    runtimeDir: join(run, 'rt'),
  };
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyGateway',
    gateway: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
    provider: {
      type: 'Custom',
      custom: {
        resource: { type: 'File', file: { paths: [resources] } },
        infrastructure: { type: 'Host', host },
      },
    },
    extensionApis: { enableBackend: true },
  };
}

/** The AI objects are translated once, at start; policies and Secrets in `later.yaml` are read again when they change. */
function startAiGateway(gateway: Gateway, log: string[]): RunningGateway['apply'] {
  const { run, namespace, start, toolbox } = gateway;
  linkEnvoy(join(run, 'data'), toolbox.envoy);
  place(run, 'input.yaml', [...standalone(gateway, start.rendered), ...start.beside]);
  const environment = {
    ...process.env,
    HOME: join(run, 'home'),
    AIGW_CONFIG_HOME: join(run, 'config'),
    AIGW_DATA_HOME: join(run, 'data'),
    AIGW_STATE_HOME: join(run, 'state'),
    AIGW_RUNTIME_DIR: join(run, 'rt'),
    // What `controller.logRequestHeaderAttributes` of the chart is in a cluster.
    OTEL_AIGW_LOG_REQUEST_HEADER_ATTRIBUTES: 'x-modelberth-caller:caller',
  };
  mkdirSync(environment.HOME);
  keepLog(
    namespace.start([toolbox.aigw, 'run', join(run, 'input.yaml'), '--run-id', '0', '--debug'], environment),
    log,
  );
  const resources = join(run, 'state', 'runs', '0', 'envoy-ai-gateway-resources');
  const secretsOf = (objects: readonly KubernetesObject[]) => objects.filter(({ kind }) => kind === 'Secret');
  const apply: RunningGateway['apply'] = (rendered, beside) =>
    place(resources, 'later.yaml', secretsOf([...rendered, ...beside]));
  // The user's Secrets are not passed on by aigw.
  const waiting = setInterval(() => {
    if (!existsSync(join(resources, 'config.yaml'))) return;
    clearInterval(waiting);
    apply(start.rendered, start.beside);
  }, 100);
  waiting.unref();
  return apply;
}

function keepLog(child: ReturnType<NetworkNamespace['start']>, log: string[]): void {
  child.stdout?.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => log.push(chunk.toString()));
}

/** Envoy's admin port is on the loopback of the namespace, at a port that it chose itself. */
async function readStatistics({ run, namespace }: Gateway): Promise<ReadonlyMap<string, number>> {
  const [address = ''] = readdirSync(join(run, 'rt'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('admin-address.txt'))
    .map((file) => readFileSync(join(run, 'rt', file), 'utf8').trim());
  const program = `fetch('http://${address}/stats').then((answer) => answer.text()).then((text) => console.log(text))`;
  const child = namespace.start([process.execPath, '-e', program]);
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  const lines = Buffer.concat(chunks).toString().split('\n');
  return new Map(lines.map((line) => line.split(': ')).map(([name = '', value]) => [name, Number(value)]));
}
