import { InvalidArgumentError, Option } from 'commander';
import type { Logger } from 'pino';
import { createLog, type LogLevel, logLevels } from './log.ts';
import { parseAddress, parseTime, parseWhole, type ServeOptions, serveDefaults } from './serve-options.ts';

/** The flags of `serve` as commander reads them. */
export interface ServeFlags {
  readonly address: string;
  readonly insecure?: true;
  readonly tlsServerCertsDir: string;
  readonly maxRecvMessageSize: number;
  readonly ttl: number;
  readonly packageVersion?: string;
  readonly now?: Date;
  readonly metricsAddress?: string;
  readonly shutdownTimeout: number;
  readonly logLevel: LogLevel;
}

/** Every flag of `serve`, with its default and what it may be. */
export function createServeFlags(): Option[] {
  const { address, tlsServerCertsDir, maxRecvMessageSizeMiB, ttlSeconds, shutdownTimeoutSeconds } = serveDefaults;
  return [
    new Option('--address <host:port>', 'address to listen on; ":9443" is every IPv4 address')
      .default(address)
      .argParser(readAddress),
    new Option('--insecure', 'plaintext, and any caller; for a loopback address only'),
    new Option(
      '--tls-server-certs-dir <dir>',
      'folder of ca.crt, tls.crt and tls.key; a client certificate is required',
    )
      .default(tlsServerCertsDir)
      .env('TLS_SERVER_CERTS_DIR'),
    new Option('--max-recv-message-size <MiB>', 'largest request that is accepted')
      .default(maxRecvMessageSizeMiB)
      .argParser(readWhole(1, 2047)),
    new Option('--ttl <seconds>', 'longest time to the next reconcile, where the Input sets none')
      .default(ttlSeconds)
      .argParser(readWhole(5, 60)),
    new Option('--package-version <version>', 'release of the package; an Input of another one is said').env(
      'MODELBERTH_VERSION',
    ),
    new Option('--now <time>', 'a fixed clock for tests, e.g. 2026-11-30T08:00:00Z').argParser(readTime),
    new Option('--metrics-address <host:port>', 'serve /metrics (Prometheus) and /healthz there').argParser(
      readAddress,
    ),
    new Option('--shutdown-timeout <seconds>', 'how long calls in flight may take after SIGTERM or SIGINT')
      .default(shutdownTimeoutSeconds)
      .argParser(readWhole(0, 3600)),
    new Option('--log-level <level>', 'lowest level that is logged').default('info').choices(logLevels),
  ];
}

/** The options of a server as the flags say them, with a log on standard error. */
export function toServeOptions(flags: ServeFlags): Partial<ServeOptions> & { readonly log: Logger } {
  const { now, metricsAddress, packageVersion } = flags;
  return {
    address: flags.address,
    insecure: flags.insecure ?? false,
    tlsServerCertsDir: flags.tlsServerCertsDir,
    maxRecvMessageSizeMiB: flags.maxRecvMessageSize,
    ttlSeconds: flags.ttl,
    shutdownTimeoutSeconds: flags.shutdownTimeout,
    log: createLog(flags.logLevel),
    ...(now === undefined ? {} : { now: () => now }),
    ...(metricsAddress === undefined ? {} : { metricsAddress }),
    ...(packageVersion === undefined ? {} : { packageVersion }),
  };
}

function readAddress(text: string): string {
  if (parseAddress(text) === undefined)
    throw new InvalidArgumentError('Want HOST:PORT, e.g. "0.0.0.0:9443" or ":9443"');
  return text;
}

function readTime(text: string): Date {
  const time = parseTime(text);
  if (time === undefined) throw new InvalidArgumentError('Want an RFC 3339 time, e.g. "2026-11-30T08:00:00Z"');
  return time;
}

function readWhole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = parseWhole(text, { min, max });
    if (value === undefined) throw new InvalidArgumentError(`Want a whole number from ${min} to ${max}`);
    return value;
  };
}
