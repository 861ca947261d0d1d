/**
 * The certificates of a server, and their renewal while it runs. The files are read again every few seconds; a new set
 * is used for new connections, and open ones live on. Refused: grpc-js's own FileWatcherCertificateProvider, which
 * turns every caller away while a file is missing or key and certificate are of two generations; and `fs.watch`, which
 * does not see the link swap by which Kubernetes replaces a mounted Secret. Not done here: judging expiry.
 */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { experimental, type ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import { CannotServe } from './serve-options.ts';

interface Certificates {
  readonly ca: Buffer;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

export interface CertificateSource {
  readonly directory: string;
  readonly checkSeconds: number;
  readonly log: Logger;
}

export interface WatchedCertificates {
  /** Requires a client certificate that the authority has signed. */
  readonly credentials: ServerCredentials;
  stop(): void;
}

/** Reads the certificates and keeps reading them. Throws `CannotServe` when they cannot be used at the start. */
export async function watchCertificates({
  directory,
  checkSeconds,
  log,
}: CertificateSource): Promise<WatchedCertificates> {
  let current = await readCertificates(directory);
  let complaint = '';
  const provider = createProvider(() => current);

  async function check(): Promise<void> {
    try {
      const found = await readCertificates(directory);
      complaint = '';
      if (isSame(found, current)) return;
      current = found;
      provider.notify();
      log.info(
        { directory, validTo: new X509Certificate(found.certificate).validTo },
        'Reloaded the server certificate',
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== complaint) log.warn({ directory }, `${message}; the previous certificate stays in use`);
      complaint = message;
    }
  }

  const timer = setInterval(check, checkSeconds * 1000).unref();
  const credentials = experimental.createCertificateProviderServerCredentials(provider, provider, true);
  return { credentials, stop: () => clearInterval(timer) };
}

/** Reads one whole set. Files of two generations do not pass: OpenSSL compares the key with the certificate. */
async function readCertificates(directory: string): Promise<Certificates> {
  const ca = await readCertificateFile(directory, 'ca.crt');
  const certificate = await readCertificateFile(directory, 'tls.crt');
  const privateKey = await readCertificateFile(directory, 'tls.key');
  try {
    new X509Certificate(ca);
    createSecureContext({ ca, cert: certificate, key: privateKey });
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    throw new CannotServe(
      `Cannot use the server certificates in "${directory}": ${found}; want ca.crt, tls.crt and its tls.key as PEM`,
    );
  }
  return { ca, certificate, privateKey };
}

async function readCertificateFile(directory: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(directory, name));
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    throw new CannotServe(
      `Cannot read the server certificates in "${directory}": ${found}; name their folder with --tls-server-certs-dir, or serve plaintext with --insecure`,
    );
  }
}

function isSame(left: Certificates, right: Certificates): boolean {
  return (
    left.ca.equals(right.ca) && left.certificate.equals(right.certificate) && left.privateKey.equals(right.privateKey)
  );
}

/** What grpc-js asks for certificates: it is told the first set on the next tick, and each later one by `notify`. */
function createProvider(read: () => Certificates): experimental.CertificateProvider & { notify(): void } {
  const identityListeners = new Set<experimental.IdentityCertificateUpdateListener>();
  const caListeners = new Set<experimental.CaCertificateUpdateListener>();
  const tellIdentity = (listener: experimental.IdentityCertificateUpdateListener) => listener(read());
  const tellCa = (listener: experimental.CaCertificateUpdateListener) => listener({ caCertificate: read().ca });
  return {
    addIdentityCertificateListener: (listener) => {
      identityListeners.add(listener);
      process.nextTick(tellIdentity, listener);
    },
    removeIdentityCertificateListener: (listener) => identityListeners.delete(listener),
    addCaCertificateListener: (listener) => {
      caListeners.add(listener);
      process.nextTick(tellCa, listener);
    },
    removeCaCertificateListener: (listener) => caListeners.delete(listener),
    notify: () => {
      for (const listener of identityListeners) tellIdentity(listener);
      for (const listener of caListeners) tellCa(listener);
    },
  };
}
