import { isRecord, type KubernetesObject, readList, readPath } from '../kubernetes/object.ts';

/**
 * Tells whether an issuer can only prove host names over HTTP-01. It would wait for the address, which waits for the
 * certificate. False for issuers that are not ACME.
 */
export function issuerNeedsAddress(issuer: KubernetesObject): boolean {
  const solvers = readList(issuer, ['spec', 'acme', 'solvers']).filter(isRecord);
  return solvers.length > 0 && !solvers.some((solver) => readPath(solver, ['dns01']) !== undefined);
}
