import { expect, test } from 'vitest';
import type { FeatureName } from '../kubernetes/feature.ts';
import type { Readiness } from '../readiness/judge-readiness.ts';
import type { CallerSeen } from './callers/admit-callers.ts';
import { InferenceGatewaySpec } from './inference-gateway-spec.ts';
import { judgeSecured, type SecuredEvidence } from './judge-secured.ts';

const issued = { type: 'Issuer', issuerRef: { name: 'public' } };

function specOf(fields: Record<string, unknown> = {}): InferenceGatewaySpec {
  const tls = { type: 'Secret', secretName: 'tls' };
  return InferenceGatewaySpec.parse({ clusterName: 'eu', hostnames: { api: 'api.example.com' }, tls, ...fields });
}

function evidence(fields: Partial<SecuredEvidence>): SecuredEvidence {
  const policies = [policy('main-deny', 'Ready')];
  return {
    gateway: 'main',
    spec: specOf(),
    needs: new Map(),
    policies,
    issuerNeedsAddress: false,
    callers: [],
    ...fields,
  };
}

const apiKey = { type: 'ApiKey', callers: [{ secretRef: { name: 'team-a' } }] };

function seen(name: string, fields: Partial<CallerSeen> = {}): CallerSeen {
  const caller = { type: 'Secret' as const, secretRef: { name } };
  return { caller, state: 'Admitted', keys: new Map(), secretName: `main-keys-${name}`, refusals: [], ...fields };
}

function policy(name: string, readiness: Readiness) {
  return { kind: 'SecurityPolicy', name, readiness };
}

const needs = (has: boolean | undefined) => new Map<FeatureName, boolean | undefined>([['AIGateway', has]]);

const table: readonly [string, Partial<SecuredEvidence>, string, string, string][] = [
  [
    'the cluster lacks a part',
    { needs: needs(false) },
    'False',
    'Incomplete',
    'Cannot secure gateway "main": cluster "eu" lacks "AIGateway"; install Envoy AI Gateway 1.0 or newer',
  ],
  [
    'the cluster does not say whether it has a part',
    { needs: needs(undefined) },
    'Unknown',
    'NotObserved',
    'Cannot secure gateway "main": InferenceCluster "eu" does not say whether it has "AIGateway"; see its condition StackReady',
  ],
  [
    'L21 a policy is refused',
    { policies: [policy('main-deny', 'NotReady'), policy('main', 'Unknown')] },
    'False',
    'PolicyNotAccepted',
    'Cannot secure gateway "main": "SecurityPolicy/main-deny" not accepted; see the status of the policy',
  ],
  [
    'L21 policies have not been judged yet',
    { policies: ['f', 'e', 'd', 'c', 'b', 'a'].map((name) => policy(name, 'Unknown')) },
    'Unknown',
    'WaitingForPolicies',
    'Cannot secure gateway "main": "SecurityPolicy/a", "SecurityPolicy/b", "SecurityPolicy/c", "SecurityPolicy/d", "SecurityPolicy/e" and 1 more not accepted yet',
  ],
  [
    'L27 the issuer would wait for the address',
    { spec: specOf({ tls: issued }), issuerNeedsAddress: true },
    'False',
    'IssuerNeedsAddress',
    'Cannot secure gateway "main": Issuer "public" solves HTTP-01 only, which waits for the address that waits for the certificate; add a DNS-01 solver or set spec.tls.type to "Secret"',
  ],
  [
    'L20 nobody is named',
    {},
    'True',
    'PoliciesAccepted',
    'Every policy is accepted; the gateway is closed: name callers in spec.auth to let them in',
  ],
  [
    'L29 callers are named',
    { spec: specOf({ auth: apiKey }), callers: [seen('team-a')] },
    'True',
    'PoliciesAccepted',
    'Every policy is accepted; callers need a key of Secret "team-a"',
  ],
  [
    'L29 some keys are refused and some have expired',
    {
      spec: specOf({ auth: apiKey }),
      callers: [
        seen('team-a', { refusals: ['the key of "x" in Secret "team-a" is empty'] }),
        seen('team-b', { state: 'Expired' }),
      ],
    },
    'True',
    'CallersRefused',
    'Every policy is accepted; callers need a key of Secret "team-a"; the keys of Secret "team-b" have expired; the key of "x" in Secret "team-a" is empty',
  ],
  [
    'L29 no named Secret exists',
    {
      spec: specOf({ auth: apiKey }),
      callers: [seen('team-a', { state: 'Waiting', refusals: ['Secret "team-a" does not exist in namespace "gw"'] })],
    },
    'True',
    'CallersRefused',
    'Every policy is accepted; the gateway is closed, because there is no key yet; Secret "team-a" does not exist in namespace "gw"',
  ],
  [
    'L20 the gateway is open because that was asked for by name',
    { spec: specOf({ auth: { type: 'Anonymous' } }) },
    'True',
    'Anonymous',
    'Every policy is accepted; anyone who reaches the gateway may call, because spec.auth.type is "Anonymous"; set it to "ApiKey" to close it',
  ],
];

test.each(table)('judgeSecured says so when %s', (_name, fields, status, reason, message) => {
  expect(judgeSecured(evidence(fields))).toEqual({ type: 'Secured', status, reason, message });
});
