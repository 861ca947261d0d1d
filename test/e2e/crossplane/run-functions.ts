/** The functions as processes of the shipped bundle, each with the certificate that core expects. */
import { join } from 'node:path';
import { type FunctionName, functionNames } from '../../../functions/steps.ts';
import { type Authority, certificateFiles, issueCertificate, mountCertificates } from '../../certificates.ts';
import { runServe, type ServeProcess } from '../../serve-process.ts';

export interface Functions {
  /** HOST:PORT of each; a restarted one has the same. */
  readonly addresses: ReadonlyMap<FunctionName, string>;
  kill(name: FunctionName): Promise<void>;
  restart(name: FunctionName): Promise<void>;
  stop(): Promise<void>;
}

export interface FunctionsQuestion {
  /** `app/main.mjs` of the image. */
  readonly bundle: string;
  readonly folder: string;
  readonly version: string;
  readonly authority: Authority;
}

/** Starts all four and waits until they listen. */
export async function runFunctions({ bundle, folder, version, authority }: FunctionsQuestion): Promise<Functions> {
  const certificates = join(folder, 'server');
  mountCertificates(certificates, certificateFiles(authority, issueCertificate(authority, 'function')));
  const environment = { TLS_SERVER_CERTS_DIR: certificates, MODELBERTH_VERSION: version };
  const running = new Map<FunctionName, ServeProcess>();
  const addresses = new Map<FunctionName, string>();
  const start = async (name: FunctionName) => {
    const served = runServe(bundle, [name, '--address', addresses.get(name) ?? '127.0.0.1:0'], environment);
    running.set(name, served);
    addresses.set(name, await served.listening());
  };
  const kill = async (name: FunctionName) => {
    const served = running.get(name);
    served?.child.kill('SIGKILL');
    await served?.exitCode();
  };
  await Promise.all(functionNames.map(start));
  const stop = async () => {
    await Promise.all(functionNames.map(kill));
  };
  return { addresses, kill, restart: start, stop };
}
