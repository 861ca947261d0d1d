/**
 * X.509 certificates for tests, made from Node's own keys and signatures: a clone with Node and nothing else must pass
 * the tests, so the `openssl` command is refused. DER is written by hand, as little of it as TLS asks for (RFC 5280).
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate and its private key, as PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly privateKey: string;
}

/** A certificate authority that signs leaf certificates. */
export interface Authority extends CertificatePair {
  readonly name: string;
}

/** The three files by which a function serves and verifies, as Crossplane mounts them. */
export interface CertificateFiles {
  readonly 'ca.crt': string;
  readonly 'tls.crt': string;
  readonly 'tls.key': string;
}

/** Makes a self-signed authority, valid from yesterday to tomorrow. */
export function createAuthority(name: string): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    extension(oids.basicConstraints, true, sequence(boolean(true))),
    extension(oids.keyUsage, true, bitString(Buffer.from([0x06]), 1)),
  ];
  const certificate = signCertificate({ issuer: name, subject: name, publicKey, signWith: privateKey, extensions });
  return { name, certificate, privateKey: toPem(privateKey) };
}

/** Issues a certificate for `localhost` and `127.0.0.1` that both a server and a client may show. */
export function issueCertificate(authority: Authority, subject: string): CertificatePair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const localhost = der(0x82, Buffer.from('localhost'));
  const loopback = der(0x87, Buffer.from([127, 0, 0, 1]));
  const extensions = [
    extension(oids.extendedKeyUsage, false, sequence(oid(oids.serverAuth), oid(oids.clientAuth))),
    extension(oids.subjectAltName, false, sequence(localhost, loopback)),
  ];
  const signWith = createPrivateKey(authority.privateKey);
  const certificate = signCertificate({ issuer: authority.name, subject, publicKey, signWith, extensions });
  return { certificate, privateKey: toPem(privateKey) };
}

/** The files of a server or client whose peer must be signed by the same authority. */
export function certificateFiles(authority: Authority, pair: CertificatePair): CertificateFiles {
  return { 'ca.crt': authority.certificate, 'tls.crt': pair.certificate, 'tls.key': pair.privateKey };
}

/** Writes a folder as the kubelet mounts a Secret, or swaps its content: files are links through `..data`, which is replaced at once. */
export function mountCertificates(directory: string, files: CertificateFiles): void {
  const version = `..${randomBytes(4).toString('hex')}`;
  mkdirSync(join(directory, version), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, version, name), content);
    const link = join(directory, name);
    if (!existsSync(link)) symlinkSync(join('..data', name), link);
  }
  symlinkSync(version, join(directory, '..data_tmp'));
  renameSync(join(directory, '..data_tmp'), join(directory, '..data'));
}

const oids = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectAltName: '2.5.29.17',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

const dayMs = 24 * 60 * 60 * 1000;

interface Unsigned {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly signWith: KeyObject;
  readonly extensions: readonly Buffer[];
}

function signCertificate({ issuer, subject, publicKey, signWith, extensions }: Unsigned): string {
  const algorithm = sequence(oid(oids.ecdsaWithSha256));
  const version3 = der(0xa0, integer(Buffer.from([2])));
  const serial = integer(Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const validity = sequence(time(new Date(Date.now() - dayMs)), time(new Date(Date.now() + dayMs)));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(
    version3,
    serial,
    algorithm,
    commonName(issuer),
    validity,
    commonName(subject),
    key,
    der(0xa3, sequence(...extensions)),
  );
  const certificate = sequence(body, algorithm, bitString(sign('sha256', body, signWith), 0));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function toPem(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** One DER element: tag, length, content. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function boolean(value: boolean): Buffer {
  return der(0x01, Buffer.from([value ? 0xff : 0]));
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function bitString(bytes: Buffer, unusedBits: number): Buffer {
  return der(0x03, Buffer.from([unusedBits]), bytes);
}

function time(date: Date): Buffer {
  return der(
    0x17,
    Buffer.from(
      date
        .toISOString()
        .slice(2)
        .replace(/[-:T]|\.\d+/g, ''),
    ),
  );
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid(oids.commonName), der(0x0c, Buffer.from(name)))));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), der(0x04, value));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}
