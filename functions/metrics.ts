import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { CannotServe, formatAddress, parseAddress } from './serve-options.ts';
import type { FunctionName } from './steps.ts';

/** Upper bounds in seconds, from a small claim to a whole fleet. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export interface MetricsOptions {
  readonly name: FunctionName;
  /** HOST:PORT to listen on. */
  readonly address: string;
  readonly isServing: () => boolean;
}

/** Counts of the calls of one server, by the kind of the XR; "" where the request had none. */
export interface Metrics {
  readonly port: number;
  answered(kind: string, seconds: number): void;
  failed(kind: string): void;
  stop(): Promise<void>;
}

/**
 * Serves `/metrics` for Prometheus, and `/healthz` for the kubelet, which has no certificate to show at the gRPC port.
 * Throws `CannotServe` when the address cannot be used. The library is loaded only here: it costs 25 ms of a start.
 */
export async function startMetrics({ name, address, isServing }: MetricsOptions): Promise<Metrics> {
  const { Counter, collectDefaultMetrics, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const shared = { labelNames: ['function', 'kind'] as const, registers: [registry] };
  const requests = new Counter({
    name: 'modelberth_function_requests_total',
    help: 'Calls of RunFunction.',
    ...shared,
  });
  const errors = new Counter({
    name: 'modelberth_function_errors_total',
    help: 'Calls that could not be decoded, or in which the function threw.',
    ...shared,
  });
  const durations = new Histogram({
    name: 'modelberth_function_request_duration_seconds',
    help: 'Seconds from the bytes of a request to the bytes of its answer.',
    buckets,
    ...shared,
  });
  collectDefaultMetrics({ register: registry });
  const server = createServer(answerWith(registry, isServing));
  const port = await listen(server, address);
  return {
    port,
    answered: (kind, seconds) => {
      requests.inc({ function: name, kind });
      durations.observe({ function: name, kind }, seconds);
    },
    failed: (kind) => errors.inc({ function: name, kind }),
    stop: () => close(server),
  };
}

function answerWith(registry: Registry, isServing: () => boolean): RequestListener {
  return ({ url }, response) => {
    if (url === '/metrics') writeMetrics(registry, response);
    else if (url === '/healthz') writeHealth(isServing(), response);
    else response.writeHead(404).end('Cannot find this path: want /metrics or /healthz\n');
  };
}

function writeMetrics(registry: Registry, response: ServerResponse): void {
  registry.metrics().then(
    (text) => response.setHeader('content-type', registry.contentType).end(text),
    (error) => response.writeHead(500).end(`Cannot read the metrics: ${error}\n`),
  );
}

function writeHealth(isServing: boolean, response: ServerResponse): void {
  response.writeHead(isServing ? 200 : 503).end(isServing ? 'SERVING\n' : 'NOT_SERVING\n');
}

function listen(server: Server, text: string): Promise<number> {
  const address = parseAddress(text);
  if (address === undefined) throw new CannotServe(`Cannot serve metrics on "${text}": want HOST:PORT, e.g. ":8080"`);
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const where = formatAddress(address);
      reject(
        new CannotServe(
          `Cannot serve metrics on ${where}: ${error.message}; free it or choose another --metrics-address`,
        ),
      );
    });
    server.listen(address, () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
