import { setTimeout as sleep } from 'node:timers/promises';
import { call, callPlain, type GatewaySockets } from './gateway-client.ts';

/** Seconds until a gateway must answer; 20 were measured with both cores busy. */
export const startSeconds = 90;

/** Ready is what a load balancer sees: the health path answers, with TLS and without. Throws when it does not in time. */
export async function untilReady(sockets: GatewaySockets): Promise<void> {
  const deadline = performance.now() + startSeconds * 1000;
  while (performance.now() < deadline) {
    const healthy = await callPlain(sockets, '/healthz').catch(() => undefined);
    const secure = await call(sockets, { path: '/healthz' }).catch(() => undefined);
    if (healthy?.status === 200 && secure?.status === 200) return;
    await sleep(250);
  }
  throw new Error('not ready');
}
