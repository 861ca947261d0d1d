import type { Condition } from '../kubernetes/condition.ts';
import { type FeatureName, features } from '../kubernetes/feature.ts';
import type { InferenceGatewaySpec } from './inference-gateway-spec.ts';
import { listNames } from './list-names.ts';
import type { PolicyEvidence } from './policy-evidence.ts';

/** The evidence about a gateway's policies. */
export interface SecuredEvidence {
  readonly gateway: string;
  readonly spec: InferenceGatewaySpec;
  /** Features that what the spec wants needs: true, false, or undefined while not observed. */
  readonly needs: ReadonlyMap<FeatureName, boolean | undefined>;
  readonly policies: readonly PolicyEvidence[];
  readonly issuerNeedsAddress: boolean;
}

/** The condition Secured: whether every policy is accepted, and who may call then. */
export function judgeSecured(evidence: SecuredEvidence): Condition {
  const { gateway, spec } = evidence;
  const lacking = [...evidence.needs].filter(([, has]) => has === false).map(([name]) => name);
  const unknown = [...evidence.needs].filter(([, has]) => has === undefined).map(([name]) => name);
  const refused = evidence.policies.filter((policy) => policy.readiness === 'NotReady');
  const waiting = evidence.policies.filter((policy) => policy.readiness === 'Unknown');
  const cannot = `Cannot secure gateway "${gateway}"`;
  if (lacking.length > 0) {
    const installs = lacking.map((name) => features[name].install).join('; ');
    return secured(
      'False',
      'Incomplete',
      `${cannot}: cluster "${spec.clusterName}" lacks ${listNames(lacking)}; install ${installs}`,
    );
  }
  if (unknown.length > 0) {
    const found = `InferenceCluster "${spec.clusterName}" does not say whether it has ${listNames(unknown)}`;
    return secured('Unknown', 'NotObserved', `${cannot}: ${found}; see its condition StackReady`);
  }
  if (refused.length > 0) {
    return secured(
      'False',
      'PolicyNotAccepted',
      `${cannot}: ${listPolicies(refused)} not accepted; see the status of the policy`,
    );
  }
  if (waiting.length > 0) {
    return secured('Unknown', 'WaitingForPolicies', `${cannot}: ${listPolicies(waiting)} not accepted yet`);
  }
  if (evidence.issuerNeedsAddress) return secured('False', 'IssuerNeedsAddress', `${cannot}: ${issuerFix(spec)}`);
  const reason = spec.auth?.type === 'Anonymous' ? 'Anonymous' : 'PoliciesAccepted';
  return secured('True', reason, `Every policy is accepted; ${describeCallers(spec)}`);
}

/** Who may call, in words; the words for an open gateway are a warning. */
function describeCallers(spec: InferenceGatewaySpec): string {
  if (spec.auth === undefined) return 'the gateway is closed: name callers in spec.auth to let them in';
  if (spec.auth.type === 'Anonymous') {
    return 'anyone who reaches the gateway may call, because spec.auth.type is "Anonymous"; set it to "ApiKey" to close it';
  }
  return `callers need a key of ${listNames((spec.auth.callers ?? []).map((caller) => caller.secretRef.name))}`;
}

function issuerFix({ tls }: InferenceGatewaySpec): string {
  const issuer = `${tls.issuerRef?.kind ?? 'Issuer'} "${tls.issuerRef?.name ?? ''}"`;
  return `${issuer} solves HTTP-01 only, which waits for the address that waits for the certificate; add a DNS-01 solver or set spec.tls.type to "Secret"`;
}

function listPolicies(policies: readonly PolicyEvidence[]): string {
  return listNames(policies.map(({ name, kind }) => `${kind}/${name}`));
}

function secured(status: Condition['status'], reason: Condition['reason'], message: string): Condition {
  return { type: 'Secured', status, reason, message };
}
