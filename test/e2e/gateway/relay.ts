/**
 * The only process of a network namespace that the tests talk to: each relay listens at one place and passes bytes on to
 * another. Unix sockets are outside every network namespace, so the tests and their mock engines need not be inside.
 *
 * node relay.ts JSON: `[{"from": "/run/x.sock", "to": 10443}, {"from": 9101, "to": "/run/engine.sock"}]`.
 * A port on its input closes that port: from then on it refuses. The end of its input ends it, and with it, as it is the
 * first process of its namespace, every other one there.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A port inside the namespace, or the path of a Unix socket. */
export type Place = number | string;

export interface Relay {
  readonly from: Place;
  readonly to: Place;
}

const relays = JSON.parse(process.argv[2] ?? '[]') as readonly Relay[];
const servers = new Map<string, Server>();
for (const { from, to } of relays) {
  const server = createServer({ allowHalfOpen: true }, (inner) => pass(inner, to));
  server.listen(typeof from === 'string' ? { path: from } : { port: from }, () => {
    servers.set(String(from), server);
    if (servers.size === relays.length) process.stdout.write('ready\n');
  });
}

createInterface({ input: process.stdin })
  .on('line', (port) => servers.get(port)?.close())
  .on('close', () => process.exit(0));

/** An end that is reset is reset at the other side too: what a client sees is what Envoy did. */
function pass(inner: Socket, to: Place): void {
  const outer = connect({ ...(typeof to === 'string' ? { path: to } : { port: to }), allowHalfOpen: true });
  for (const [one, other] of [
    [inner, outer],
    [outer, inner],
  ] as const) {
    one.pipe(other);
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}
