import { InferenceGatewaySpec } from '../../domain/gateway/inference-gateway-spec.ts';
import { type FeatureName, hasFeature } from '../../domain/kubernetes/feature.ts';
import { apiVersion } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { ComposeRequest, Freeze, Requirements } from '../compose.ts';
import { freezeBecause, readSpec } from '../freeze.ts';
import { readAccess } from '../watch-cluster.ts';
import { requireSecrets } from './compose-callers.ts';

/** An InferenceGateway with all that its decision needs. */
export interface GatewayRead {
  readonly name: string;
  readonly spec: InferenceGatewaySpec;
  readonly cluster: KubernetesObject;
  readonly feature: (name: FeatureName) => boolean | undefined;
  readonly observed: ReadonlyMap<string, KubernetesObject>;
  /** The issuer of the certificate; undefined when there is none, or it has not been fetched. */
  readonly issuer: KubernetesObject | undefined;
  readonly requirements: Requirements;
}

/** Reads the gateway and its cluster, or says why nothing can be decided. */
export function readGateway(request: ComposeRequest): GatewayRead | Freeze {
  const read = readSpec(request.xr, InferenceGatewaySpec);
  if (read.state === 'Invalid') {
    return freezeBecause({ resources: {} }, { type: 'Secured', reason: 'InvalidSpec', message: read.why });
  }
  const { clusterName } = read.spec;
  const name = request.xr.metadata.name ?? '';
  const known: Requirements = {
    resources: {
      cluster: { apiVersion, kind: 'InferenceCluster', matchName: clusterName },
      ...requireSecrets(read.spec),
    },
  };
  const required = request.required('cluster');
  if (required.state === 'Unresolved') {
    const message = `Cannot secure gateway "${name}": InferenceCluster "${clusterName}" has not been fetched yet`;
    return freezeBecause(known, { type: 'Secured', reason: 'WaitingForRequired', message });
  }
  if (required.state === 'Absent') {
    const message = `Cannot secure gateway "${name}": InferenceCluster "${clusterName}" does not exist; create it, or fix spec.clusterName`;
    return freezeBecause(known, { type: 'Secured', reason: 'ClusterMissing', message });
  }
  const [cluster] = required.objects;
  if (readAccess(cluster)?.type !== 'Local') {
    const message = `Cannot secure gateway "${name}": InferenceCluster "${clusterName}" is not known to be Local, and a gateway is composed on the control plane's own cluster only; name a Local one in spec.clusterName`;
    return freezeBecause(known, { type: 'Secured', reason: 'Incomplete', message });
  }
  const feature = (wanted: FeatureName) => hasFeature(cluster, wanted);
  const requirements = requireIssuer(known, read.spec, feature('CertManager') === true);
  const issuer = request.required('issuer');
  return {
    name,
    spec: read.spec,
    cluster,
    feature,
    observed: request.observed,
    issuer: issuer.state === 'Present' ? issuer.objects[0] : undefined,
    requirements,
  };
}

/** The issuer is required only where its kind exists: core fails the whole XR on a kind that is absent (S3). */
function requireIssuer(known: Requirements, spec: InferenceGatewaySpec, hasCertManager: boolean): Requirements {
  const ref = spec.tls.type === 'Issuer' ? spec.tls.issuerRef : undefined;
  if (ref === undefined || !hasCertManager) return known;
  const place = ref.kind === 'Issuer' ? { namespace: spec.namespace } : {};
  const issuer = { apiVersion: 'cert-manager.io/v1', kind: ref.kind, matchName: ref.name, ...place };
  return { resources: { ...known.resources, issuer } };
}
