import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { Readiness } from '../readiness/judge-readiness.ts';
import { chooseServiceType } from './choose-service-type.ts';

function proxy(type: string): KubernetesObject {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    metadata: { name: 'main' },
    spec: { provider: { kubernetes: { envoyService: { type } } } },
  };
}

const table: readonly [string, KubernetesObject | undefined, readonly Readiness[], Readiness | undefined, string][] = [
  ['nothing is observed', undefined, ['Unknown'], undefined, 'ClusterIP'],
  ['there is no policy at all', undefined, [], undefined, 'ClusterIP'],
  ['a policy is refused', proxy('ClusterIP'), ['Ready', 'NotReady'], undefined, 'ClusterIP'],
  ['a policy is not observed', proxy('ClusterIP'), ['Ready', 'Unknown'], undefined, 'ClusterIP'],
  ['the certificate is not issued', proxy('ClusterIP'), ['Ready'], 'NotReady', 'ClusterIP'],
  ['every policy is accepted and the certificate is given', proxy('ClusterIP'), ['Ready'], undefined, 'LoadBalancer'],
  ['every policy is accepted and the certificate is issued', proxy('ClusterIP'), ['Ready'], 'Ready', 'LoadBalancer'],
  ['a policy is refused after the address was given', proxy('LoadBalancer'), ['NotReady'], 'NotReady', 'LoadBalancer'],
];

test.each(table)(
  'L21 chooseServiceType gives the address last when %s',
  (_name, envoyProxy, policies, certificate, type) => {
    expect(chooseServiceType({ envoyProxy, policies, certificate })).toBe(type);
  },
);

const readiness = fc.constantFrom<Readiness>('Ready', 'NotReady', 'Unknown');

test('L21 chooseServiceType never takes an address back, and gives none before every policy is accepted', () => {
  fc.assert(
    fc.property(
      fc.array(readiness),
      fc.option(readiness, { nil: undefined }),
      fc.constantFrom(undefined, 'ClusterIP', 'LoadBalancer'),
      (policies, certificate, type) => {
        const envoyProxy = type === undefined ? undefined : proxy(type);
        const chosen = chooseServiceType({ envoyProxy, policies, certificate });
        if (type === 'LoadBalancer') expect(chosen).toBe('LoadBalancer');
        else if (chosen === 'LoadBalancer') {
          expect(policies.length).toBeGreaterThan(0);
          expect(new Set([...policies, certificate ?? 'Ready'])).toEqual(new Set(['Ready']));
        }
      },
    ),
  );
});
