import { isRecord, type KubernetesObject, readNumber } from '../kubernetes/object.ts';
import type { Readiness } from './judge-readiness.ts';

/**
 * A Deployment is ready when every replica that its current spec asks for is updated and available. The condition
 * Available is not read: it stays True through a rollout that can never end (L39).
 */
export function checkDeployment(observed: KubernetesObject): Readiness {
  if (!isRecord(observed.status)) return 'Unknown';
  const seen = readNumber(observed, ['status', 'observedGeneration']);
  const { generation } = observed.metadata;
  if (generation !== undefined && (seen ?? 0) < generation) return 'Unknown';
  const wanted = readNumber(observed, ['spec', 'replicas']) ?? 1;
  const updated = readNumber(observed, ['status', 'updatedReplicas']) ?? 0;
  const available = readNumber(observed, ['status', 'availableReplicas']) ?? 0;
  // While a pod of an older revision is left, the available one may be that.
  const total = readNumber(observed, ['status', 'replicas']) ?? 0;
  return updated >= wanted && available >= wanted && total <= updated ? 'Ready' : 'NotReady';
}
