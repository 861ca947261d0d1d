import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Access } from './access.ts';
import { type LeasesRead, reachableCondition } from './reachable.ts';

const access = Access.parse({ type: 'Remote', providerConfigName: 'tokyo' });
const now = new Date('2026-12-01T12:00:00Z');

function leases(...times: readonly unknown[]): LeasesRead {
  const objects = times.map((renewTime, index) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: `apiserver-${index}` },
    spec: { renewTime },
  }));
  return { state: 'Seen', objects };
}

const by = 'by ClusterProviderConfig "tokyo"';
const rows: readonly [string, LeasesRead, string, string, string][] = [
  [
    'answers when one API server was heard of',
    leases('2026-12-01T09:00:00.000000Z', '2026-12-01T11:59:31.482107Z'),
    'True',
    'Answering',
    `An API server was heard of within 5 minutes, ${by}`,
  ],
  [
    'is stale when the newest lease is old, as when the provider has stopped',
    leases('2026-12-01T11:54:59.000000Z'),
    'False',
    'Stale',
    `Cannot see the cluster ${by}: no API server was heard of within 5 minutes; see that provider-kubernetes runs, with --poll=1m`,
  ],
  [
    'is Unknown without a lease',
    leases(),
    'Unknown',
    'NotObserved',
    `Cannot see the cluster ${by}: namespace "kube-system" has no lease of an API server; let the provider list leases there (Kubernetes 1.26 or newer)`,
  ],
  [
    'is Unknown where no time can be read',
    leases('soon', 12),
    'Unknown',
    'NotObserved',
    `Cannot see the cluster ${by}: namespace "kube-system" has no lease of an API server; let the provider list leases there (Kubernetes 1.26 or newer)`,
  ],
  [
    'is stale when the provider says that it fails',
    { state: 'Held', reason: 'Stale', why: 'connect failed: Unauthorized' },
    'False',
    'Stale',
    `Cannot see the cluster ${by}: connect failed: Unauthorized; nothing changes until that is mended`,
  ],
  [
    'is Unknown before the provider has looked',
    { state: 'Held', reason: 'NotObserved', why: 'provider-kubernetes has not listed it yet' },
    'Unknown',
    'NotObserved',
    'Cannot see the cluster yet: provider-kubernetes has not listed it yet; check that ClusterProviderConfig "tokyo" exists',
  ],
];

test.each(rows)('S7 a Remote cluster %s', (_name, read, status, reason, message) => {
  expect(reachableCondition(access, read, now)).toEqual({ type: 'Reachable', status, reason, message });
});

test('S3 S7 no time is in the message, and the newest lease alone decides', () => {
  const seconds = fc.array(fc.integer({ min: 0, max: 3600 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(seconds, (ages) => {
      const times = ages.map((age) => new Date(now.getTime() - age * 1000).toISOString());
      const condition = reachableCondition(access, leases(...times), now);
      expect(condition.status).toBe(Math.min(...ages) < 300 ? 'True' : 'False');
      expect(condition.message).not.toMatch(/\d\d:\d\d/);
    }),
  );
});
