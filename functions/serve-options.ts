import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Compose } from './compose.ts';
import { createLog } from './log.ts';
import type { FunctionName } from './steps.ts';

/** Everything that the server of one function is told. */
export interface ServeSettings {
  readonly name: FunctionName;
  readonly compose: Compose;
  /** HOST:PORT to listen on. No host means every IPv4 address, port 0 a free one. */
  readonly address: string;
  /** Folder of `ca.crt`, `tls.crt` and `tls.key`. */
  readonly tlsServerCertsDir: string;
  /** Plaintext, and any caller. */
  readonly insecure: boolean;
  /** How often the certificate files are read again. */
  readonly certificateCheckSeconds: number;
  readonly maxRecvMessageSizeMiB: number;
  /** Upper bound of the time to the next reconcile, where the Input sets none. */
  readonly ttlSeconds: number;
  /** Release of the function's own package; unset where it runs from the sources. */
  readonly packageVersion?: string;
  readonly now: () => Date;
  readonly randomKey: () => string;
  /** HOST:PORT of metrics and probes; none when left out. */
  readonly metricsAddress?: string;
  /** How long calls in flight may take once the server stops. */
  readonly shutdownTimeoutSeconds: number;
  /** Age at which a connection is replaced, so that callers notice more replicas and newer certificates. */
  readonly connectionAgeSeconds: number;
  readonly log: Logger;
}

/** What a caller must say, and what has a default. No default is insecure. */
export type ServeOptions = Pick<ServeSettings, 'name' | 'compose'> & Partial<ServeSettings>;

export const serveDefaults = {
  address: '0.0.0.0:9443',
  tlsServerCertsDir: '/tls/server',
  insecure: false,
  certificateCheckSeconds: 10,
  maxRecvMessageSizeMiB: 32,
  ttlSeconds: 60,
  shutdownTimeoutSeconds: 25,
  connectionAgeSeconds: 600,
} as const;

/** The options with every default filled in. */
export function completeOptions(options: ServeOptions): ServeSettings {
  const now = () => new Date();
  const randomKey = () => randomBytes(32).toString('base64url');
  const log = options.log ?? createLog('error');
  return { ...serveDefaults, now, randomKey, ...options, log: log.child({ function: options.name }) };
}

/** Thrown when a server cannot start for a reason that its operator can mend; the message says how. */
export class CannotServe extends Error {}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Reads HOST:PORT, [IPV6]:PORT or :PORT; undefined when it is none of them. */
export function parseAddress(text: string): Address | undefined {
  const { v6, host, port } = /^(?:\[(?<v6>[^\]]+)\]|(?<host>[^:[\]\s]*)):(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) return undefined;
  if (v6 !== undefined) return isIP(v6) === 6 ? { host: v6, port: Number(port) } : undefined;
  return { host: host || '0.0.0.0', port: Number(port) };
}

/** Writes an address as `parseAddress` reads it. */
export function formatAddress({ host, port }: Address): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

const Timestamp = z.iso.datetime({ offset: true });

/** Reads an RFC 3339 time, e.g. `2026-11-30T08:00:00Z`; undefined when it is none, as 30 February is. */
export function parseTime(text: string): Date | undefined {
  return Timestamp.safeParse(text).success ? new Date(text) : undefined;
}

/** Reads a whole number within bounds; undefined when it is none. */
export function parseWhole(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
