import { boundedName } from '../kubernetes/resource-name.ts';

/**
 * The name of the headless Service of a replica. It is the replica's own where that is a DNS label which begins with a
 * letter, as the API server wants of a Service (RFC 1035); a replica may begin with a digit or hold dots.
 */
export function serviceName(replica: string): string {
  const name = boundedName(replica);
  return /^[a-z]/.test(name) ? name : boundedName(`m-${name}`);
}
