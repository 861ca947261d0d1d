import { readGuardrail } from '../../domain/gateway/allowed-hosts.ts';
import { listCallers } from '../../domain/gateway/callers/caller-status.ts';
import { chooseServiceType } from '../../domain/gateway/choose-service-type.ts';
import { decideManifests, type ManifestDecision, requiredManifests } from '../../domain/gateway/decide-manifest.ts';
import { describeState } from '../../domain/gateway/describe-state.ts';
import { type GatewayFacts, gatewayObjectName } from '../../domain/gateway/gateway-facts.ts';
import { listListeners, passFeatures, readAddress } from '../../domain/gateway/gateway-status.ts';
import { issuerNeedsAddress } from '../../domain/gateway/issuer-needs-address.ts';
import { judgeSecured } from '../../domain/gateway/judge-secured.ts';
import { certificate } from '../../domain/gateway/manifests/certificate.ts';
import { envoyProxy } from '../../domain/gateway/manifests/envoy-proxy.ts';
import { gateway } from '../../domain/gateway/manifests/gateway.ts';
import type { GatewayWish } from '../../domain/gateway/manifests/gateway-manifest.ts';
import { nobody, nobodySecret } from '../../domain/gateway/manifests/nobody-secret.ts';
import { listPolicies } from '../../domain/gateway/policy-evidence.ts';
import { type KubernetesObject, readString } from '../../domain/kubernetes/object.ts';
import { judgeReadiness, type Readiness } from '../../domain/readiness/judge-readiness.ts';
import type { Composed, ComposeRequest, Decision, Freeze, ResourceRow } from '../compose.ts';
import { planCallers } from './compose-callers.ts';
import { type GatewayRead, readGateway } from './read-gateway.ts';

/** Composes the objects of an InferenceGateway, its address last (L21). */
export function composeInferenceGateway(request: ComposeRequest): Decision | Freeze {
  const read = readGateway(request);
  if ('frozen' in read) return read;
  const callers = planCallers(request, read.spec);
  const wish: Wish = { ...read, keySecrets: callers.keySecrets };
  const decisions = decideManifests(wish);
  const facts = decideFacts(wish, request.randomKey);
  const condition = judgeSecured({
    gateway: read.name,
    spec: read.spec,
    needs: new Map(
      requiredManifests(wish).flatMap(({ needs }) => needs.map((name) => [name, read.feature(name)] as const)),
    ),
    policies: listPolicies(read.name, wish, read.observed),
    callers: callers.seen,
    issuerNeedsAddress: read.issuer !== undefined && issuerNeedsAddress(read.issuer) && certificateOf(read) !== 'Ready',
  });
  const observedGateway = read.observed.get(gateway.key);
  const address = readAddress(observedGateway, read.observed.get(envoyProxy.key));
  const listeners = listListeners(observedGateway);
  const externalEndpoints = readGuardrail(read.cluster);
  const isProgrammed = observedGateway !== undefined && judgeReadiness(observedGateway) === 'Ready';
  return {
    requirements: read.requirements,
    composed: new Map([...writeComposed(decisions, facts, read.observed), ...callers.composed]),
    dropped: new Map([
      ...decisions.filter(({ action }) => action === 'Drop').map(({ manifest, why }) => [manifest.key, why] as const),
      ...callers.dropped,
    ]),
    planned: [
      ...decisions.filter(({ action }) => action === 'Plan').map((decision) => plannedRow(decision, read.name)),
      ...callers.planned,
    ],
    status: {
      features: passFeatures(read.cluster),
      ...(externalEndpoints === undefined ? {} : { externalEndpoints }),
      ...(listeners.length > 0 ? { listeners } : {}),
      ...(address === undefined ? {} : { address }),
      ...(callers.seen.length > 0 ? { callers: listCallers(read.name, callers.seen) } : {}),
    },
    conditions: [condition],
    ready: condition.status === 'True' && isProgrammed && address !== undefined,
    ...(callers.wakeInSeconds === undefined ? {} : { wakeInSeconds: callers.wakeInSeconds }),
  };
}

type Wish = GatewayRead & GatewayWish;

function decideFacts(wish: Wish, randomKey: () => string): GatewayFacts {
  const { name, spec, observed, keySecrets } = wish;
  const policies = listPolicies(name, wish, observed).map(({ readiness }) => readiness);
  const exposure = { envoyProxy: observed.get(envoyProxy.key), policies, certificate: certificateOf(wish) };
  const kept = readString(observed.get(nobodySecret.key), ['data', nobody]) ?? '';
  const nobodyKey = kept === '' ? Buffer.from(randomKey()).toString('base64') : kept;
  return { name, spec, serviceType: chooseServiceType(exposure), keySecrets, nobodyKey };
}

/** What the certificate proves about itself; undefined when it is given as a Secret. */
function certificateOf({ spec, observed }: GatewayRead): Readiness | undefined {
  if (spec.tls.type === 'Secret') return undefined;
  const object = observed.get(certificate.key);
  return object === undefined ? 'Unknown' : judgeReadiness(object);
}

function writeComposed(
  decisions: readonly ManifestDecision[],
  facts: GatewayFacts,
  observed: ReadonlyMap<string, KubernetesObject>,
): ReadonlyMap<string, Composed> {
  const composed = new Map<string, Composed>();
  for (const { manifest, action } of decisions) {
    if (action !== 'Compose') continue;
    const state = describeState(observed.get(manifest.key));
    const isInside = manifest === envoyProxy && facts.serviceType === 'ClusterIP';
    const row = isInside ? { ...state, state: 'Waiting' as const, why: insideOnly(facts) } : state;
    composed.set(manifest.key, { object: manifest.render(facts), ...row });
  }
  return composed;
}

function insideOnly({ spec }: GatewayFacts): string {
  const wait =
    spec.tls.type === 'Issuer' ? 'every policy is accepted and the certificate is issued' : 'every policy is accepted';
  return `no address until ${wait}`;
}

function plannedRow({ manifest, why }: ManifestDecision, name: string): ResourceRow {
  return { name: gatewayObjectName(name, manifest.part), kind: manifest.kind, state: 'Planned', why };
}
