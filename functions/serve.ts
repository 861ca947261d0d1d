/**
 * The gRPC server of one function. Bytes go straight to `runFunction` and bytes come back, because grpc-js answers
 * INTERNAL to whatever its own decoder throws, and loses the call to whatever an encoder throws. A client certificate
 * is required unless plaintext is asked for by name. Not done here: flags, signals, and the end of the process.
 */
import { lookup } from 'node:dns/promises';
import { type ChannelOptions, Server, ServerCredentials } from '@grpc/grpc-js';
import { answerCalls } from './answer-calls.ts';
import { addHealth } from './health.ts';
import { startMetrics } from './metrics.ts';
import {
  type Address,
  CannotServe,
  completeOptions,
  formatAddress,
  parseAddress,
  type ServeOptions,
  type ServeSettings,
} from './serve-options.ts';
import { type WatchedCertificates, watchCertificates } from './server-certificates.ts';

const serviceName = 'apiextensions.fn.proto.v1.FunctionRunnerService';
const path = `/${serviceName}/RunFunction`;

export interface RunningServer {
  /** HOST:PORT that it listens on. */
  readonly address: string;
  readonly port: number;
  readonly metricsPort?: number;
  /** Stops accepting, lets calls in flight finish within the limit, and resolves when all is closed. */
  stop(): Promise<void>;
}

/** Starts to serve one function. Throws `CannotServe` when an address or the certificates cannot be used. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const settings = completeOptions(options);
  const { name, metricsAddress } = settings;
  const security = await chooseSecurity(settings);
  const server = new Server(channelOptions(settings));
  const health = addHealth(server, serviceName);
  const metrics =
    metricsAddress === undefined
      ? undefined
      : await startMetrics({ name, address: metricsAddress, isServing: health.isServing });
  server.register(path, answerCalls(settings, metrics), toBuffer, (bytes) => bytes, 'unary');

  async function close(): Promise<void> {
    security.stop();
    await metrics?.stop();
  }
  try {
    const address = await bind(server, settings.address, security.credentials);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      health.stopServing();
      stopped ??= drain({ server, address, settings }).then(close);
      return stopped;
    };
    const running = { address: formatAddress(address), port: address.port, stop };
    return metrics === undefined ? running : { ...running, metricsPort: metrics.port };
  } catch (error) {
    await close();
    throw error;
  }
}

async function chooseSecurity({
  insecure,
  tlsServerCertsDir,
  certificateCheckSeconds,
  log,
}: ServeSettings): Promise<WatchedCertificates> {
  if (!insecure) return watchCertificates({ directory: tlsServerCertsDir, checkSeconds: certificateCheckSeconds, log });
  log.warn('Serving plaintext: whoever reaches the port may call the function');
  return { credentials: ServerCredentials.createInsecure(), stop: () => {} };
}

function channelOptions({ maxRecvMessageSizeMiB, connectionAgeSeconds }: ServeSettings): ChannelOptions {
  return {
    'grpc.max_receive_message_length': maxRecvMessageSizeMiB * 1024 * 1024,
    'grpc.max_send_message_length': -1,
    'grpc.max_connection_age_ms': connectionAgeSeconds * 1000,
    'grpc.enable_channelz': 0,
  };
}

/** Binds one address, all or nothing: given a name with several addresses, grpc-js is content with any of them. */
async function bind(server: Server, text: string, credentials: ServerCredentials): Promise<Address> {
  const wanted = parseAddress(text);
  if (wanted === undefined)
    throw new CannotServe(`Cannot listen on "${text}": want HOST:PORT, e.g. "0.0.0.0:9443" or ":9443"`);
  const refuse = (found: string) =>
    new CannotServe(`Cannot listen on ${formatAddress(wanted)}: ${found}; free it or choose another --address`);
  const { address: host } = await lookup(wanted.host).catch((error: Error) => {
    throw refuse(error.message);
  });
  return new Promise((resolve, reject) => {
    server.bindAsync(formatAddress({ host, port: wanted.port }), credentials, (error, port) => {
      if (error === null) resolve({ host, port });
      else reject(refuse(error.message.replace(/^.*errors: \[(.*)\]$/, '$1')));
    });
  });
}

interface Draining {
  readonly server: Server;
  readonly address: Address;
  readonly settings: ServeSettings;
}

/** Waits for the calls in flight and cuts them off at the limit. `forceShutdown` would not: without channelz it knows no session. */
function drain({ server, address, settings }: Draining): Promise<void> {
  const { shutdownTimeoutSeconds: seconds, log } = settings;
  return new Promise((resolve) => {
    const limit = setTimeout(() => {
      log.warn({ seconds }, 'Cutting off the calls that did not finish in time');
      resolve();
    }, seconds * 1000);
    server.drain(formatAddress(address), seconds * 1000);
    server.tryShutdown(() => {
      clearTimeout(limit);
      resolve();
    });
  });
}

/** The same bytes as the kind of array that grpc-js copies from. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
