import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import { type ChannelOptions, Client, credentials } from '@grpc/grpc-js';
import { type CertificateFiles, certificateFiles, createAuthority, issueCertificate } from './certificates.ts';

const runFunctionPath = '/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction';

/** A client of one running function, as Crossplane is one. */
export interface FunctionClient {
  readonly client: Client;
  /** Sends a request, or bytes that need not be one. Rejects with a `ServiceError`. */
  call(request: RunFunctionRequest | Uint8Array): Promise<RunFunctionResponse>;
  close(): void;
}

/** Connects with the certificate and authority given, or in plaintext without. */
export function connect(
  address: string,
  files?: Partial<CertificateFiles>,
  options: ChannelOptions = {},
): FunctionClient {
  const client = new Client(address, files === undefined ? credentials.createInsecure() : secure(files), {
    'grpc.ssl_target_name_override': 'localhost',
    'grpc.max_receive_message_length': -1,
    'grpc.enable_http_proxy': 0,
    'grpc.use_local_subchannel_pool': 1,
    ...options,
  });
  return { client, call: (request) => callOnce(client, request), close: () => client.close() };
}

/** An authority with the files of a server and of a client that accept each other. */
export function createTrust(): { readonly server: CertificateFiles; readonly client: CertificateFiles } {
  const authority = createAuthority('test authority');
  const server = certificateFiles(authority, issueCertificate(authority, 'function'));
  const client = certificateFiles(authority, issueCertificate(authority, 'crossplane'));
  return { server, client };
}

/** The smallest request that a function composes for: an XR of one kind. */
export function requestFor(kind: string, spec: Record<string, unknown> = {}): RunFunctionRequest {
  const metadata = { name: 'sample', namespace: 'team-a', uid: '00000000-0000-0000-0000-000000000000' };
  const resource = { apiVersion: 'modelberth.dev/v1alpha1', kind, metadata, spec };
  return RunFunctionRequest.fromPartial({ meta: { tag: 'sample' }, observed: { composite: { resource } } });
}

/** A call whose request has only half arrived, as one is on a slow network: in flight until told to finish. */
export interface HeldCall {
  /** Sends the rest; resolves with the gRPC status, or undefined when the call was cut off. */
  finish(): Promise<string | undefined>;
}

/** Starts a call in plaintext and holds it; resolves once the server has the first half. */
export async function holdCall(address: string, request: RunFunctionRequest): Promise<HeldCall> {
  const session = connectHttp2(`http://${address}`);
  session.on('error', () => {});
  await once(session, 'connect');
  const stream = session.request({
    ':method': 'POST',
    ':path': runFunctionPath,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const ended = new Promise<string | undefined>((resolve) => {
    let grpcStatus: string | undefined;
    stream.on('trailers', (trailers) => {
      grpcStatus = String(trailers['grpc-status']);
    });
    stream.on('error', () => {});
    stream.on('close', () => {
      session.close();
      resolve(stream.rstCode === constants.NGHTTP2_NO_ERROR ? grpcStatus : undefined);
    });
    stream.resume();
  });
  const bytes = Buffer.from(RunFunctionRequest.encode(request).finish());
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(bytes.length, 1);
  const half = Math.floor(bytes.length / 2);
  stream.write(Buffer.concat([prefix, bytes.subarray(0, half)]));
  await new Promise<void>((resolve, reject) => session.ping((error) => (error === null ? resolve() : reject(error))));
  return {
    finish: () => {
      if (!stream.destroyed) stream.end(bytes.subarray(half));
      return ended;
    },
  };
}

function secure(files: Partial<CertificateFiles>): ReturnType<typeof credentials.createSsl> {
  const read = (name: keyof CertificateFiles) => (files[name] === undefined ? null : Buffer.from(files[name]));
  return credentials.createSsl(read('ca.crt'), read('tls.key'), read('tls.crt'));
}

function callOnce(client: Client, request: RunFunctionRequest | Uint8Array): Promise<RunFunctionResponse> {
  const bytes = request instanceof Uint8Array ? request : RunFunctionRequest.encode(request).finish();
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      runFunctionPath,
      (sent: Uint8Array) => Buffer.from(sent),
      (received) => RunFunctionResponse.decode(received),
      bytes,
      { deadline: Date.now() + 10_000 },
      (error, response) => (error === null && response !== undefined ? resolve(response) : reject(error)),
    );
  });
}
