/**
 * Decides what is rendered for each external endpoint of a service. The platform's guardrail refuses what is new and
 * takes nothing away: an endpoint that runs stays when the rule becomes stricter, and one whose host name is edited to
 * one that is not allowed stays at the old one (S1). Nothing is routed there before all its objects exist, because a
 * request would go without the key.
 */
import type { Reason } from '../kubernetes/condition.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { judgeReadiness } from '../readiness/judge-readiness.ts';
import { allowsHost } from './allowed-hosts.ts';
import type { ExternalEndpoint } from './external-endpoint.ts';
import { readHeldExternal } from './held-external.ts';
import { listNames } from './list-names.ts';
import type { ExternalRoute } from './model-service-spec.ts';
import { externalKey, externalKeys } from './routes/service-facts.ts';

export interface ExternalScene {
  readonly routes: readonly ExternalRoute[];
  /** What the cluster of the gateway allows; undefined while the gateway does not say. */
  readonly allowed: readonly string[] | undefined;
  readonly gateway: string;
  readonly cluster: string;
  readonly observed: ReadonlyMap<string, KubernetesObject>;
}

/** Why an endpoint is not used as the claim says. */
export interface Refusal {
  readonly reason: Extract<Reason, 'GuardrailRefused' | 'NotObserved'>;
  readonly message: string;
}

/** One external endpoint, and what may be done with it. */
export interface ExternalSeen {
  readonly name: string;
  readonly weight: number;
  readonly priority: number;
  /** What is rendered; undefined where nothing may be, and nothing is there. */
  readonly endpoint: ExternalEndpoint | undefined;
  /** Whether every object of it is observed. */
  readonly isPlaced: boolean;
  /** Whether the AI gateway refuses the policy with its key. */
  readonly isKeyRefused: boolean;
  readonly refusal: Refusal | undefined;
}

/** Judges every external endpoint of the claim, sorted by name. */
export function admitExternals(scene: ExternalScene): readonly ExternalSeen[] {
  return scene.routes
    .map((route) => admitExternal(route, scene))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

function admitExternal({ endpoint: wanted, weight, priority, field }: ExternalRoute, scene: ExternalScene) {
  const { name } = wanted;
  const held = readHeldExternal(name, scene.observed);
  const isAllowed = allowsHost(scene.allowed ?? [], wanted.hostname) || held?.hostname === wanted.hostname;
  const endpoint = isAllowed ? wanted : held;
  return {
    name,
    weight,
    priority,
    endpoint,
    isPlaced: endpoint !== undefined && externalKeys(endpoint).every((key) => scene.observed.has(key)),
    isKeyRefused: isNotReady(scene.observed.get(externalKey.apiKey(name))),
    refusal: isAllowed ? undefined : refuse(field, wanted.hostname, scene),
  };
}

function isNotReady(policy: KubernetesObject | undefined): boolean {
  return policy !== undefined && judgeReadiness(policy) === 'NotReady';
}

function refuse(field: string, hostname: string, { allowed, gateway, cluster }: ExternalScene): Refusal {
  const found = `${field}.hostname is "${hostname}"`;
  if (allowed === undefined) {
    const message = `${found}, and InferenceGateway "${gateway}" does not say yet which its cluster allows`;
    return { reason: 'NotObserved', message };
  }
  const rule = `InferenceCluster "${cluster}" allows ${allowed.length === 0 ? 'none' : `only ${listNames(allowed)}`}`;
  const fix = 'let its owner add it to spec.guardrails.externalEndpoints';
  return { reason: 'GuardrailRefused', message: `${found}, and ${rule}: ${fix}` };
}
