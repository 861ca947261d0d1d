import type { Condition } from '../kubernetes/condition.ts';
import { type FeatureName, features } from '../kubernetes/feature.ts';
import type { CallerSeen } from './callers/admit-callers.ts';
import { callerTitle } from './callers/key-secret.ts';
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
  /** The entries of spec.auth.callers. */
  readonly callers: readonly CallerSeen[];
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
  if (spec.auth?.type === 'Anonymous') return secured('True', 'Anonymous', `${accepted}; ${openFix}`);
  const refusals = evidence.callers.flatMap((caller) => caller.refusals);
  const message = [accepted, describeCallers(evidence), ...cutList(refusals)].join('; ');
  return secured('True', refusals.length > 0 ? 'CallersRefused' : 'PoliciesAccepted', message);
}

const accepted = 'Every policy is accepted';
const openFix =
  'anyone who reaches the gateway may call, because spec.auth.type is "Anonymous"; set it to "ApiKey" to close it';
/** Most refusals that a message lists. */
const longestList = 5;

function cutList(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - longestList;
  return more > 0 ? [...sentences.slice(0, longestList), `and ${more} more`] : sentences;
}

/** Who may call, in words. */
function describeCallers({ spec, callers }: SecuredEvidence): string {
  if (spec.auth === undefined) return 'the gateway is closed: name callers in spec.auth to let them in';
  const admitted = callers.filter(({ state }) => state === 'Admitted').map(({ caller }) => callerTitle(caller));
  const expired = callers.filter(({ state }) => state === 'Expired').map(({ caller }) => callerTitle(caller));
  const gone = expired.length === 0 ? [] : [`the keys of ${listTitles(expired)} have expired`];
  if (admitted.length === 0) return ['the gateway is closed, because there is no key yet', ...gone].join('; ');
  return [`callers need a key of ${listTitles(admitted)}`, ...gone].join('; ');
}

function listTitles(titles: readonly string[]): string {
  return cutList([...titles].sort()).join(', ');
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
