import type { KubernetesObject } from '../kubernetes/object.ts';
import { checkCondition } from './check-condition.ts';
import { checkDeployment } from './check-deployment.ts';
import type { Readiness } from './judge-readiness.ts';

/** Says what an observed object of one kind proves about itself. */
export type Check = (observed: KubernetesObject) => Readiness;

/** A kind without a status: it works once it exists. */
const exists: Check = () => 'Ready';
/** A kind that cannot prove anything about itself: its own status lies (S5). */
const unknown: Check = () => 'Unknown';

/** The check of every kind that is composed. */
export const checks: Readonly<Record<string, Check>> = {
  AIGatewayRoute: checkCondition('Accepted'),
  AIServiceBackend: checkCondition('Accepted'),
  Backend: checkCondition('Accepted'),
  BackendSecurityPolicy: checkCondition('Accepted'),
  BackendTrafficPolicy: checkCondition('Accepted'),
  Certificate: checkCondition('Ready'),
  ClientTrafficPolicy: checkCondition('Accepted'),
  ClusterUsage: checkCondition('Ready'),
  ControllerRevision: exists,
  Deployment: checkDeployment,
  EnvoyProxy: exists,
  Gateway: checkCondition('Programmed'),
  GatewayConfig: exists,
  GatewayClass: checkCondition('Accepted'),
  HTTPRoute: checkCondition('Accepted'),
  Job: exists,
  LaunchTemplate: checkCondition('Ready'),
  LeaderWorkerSet: unknown,
  ModelReplica: checkCondition('Ready'),
  NetworkPolicy: exists,
  NodeGroup: unknown,
  PodDisruptionBudget: exists,
  PodMonitor: exists,
  ResourceClaimTemplate: exists,
  Secret: exists,
  SecurityPolicy: checkCondition('Accepted'),
  Service: exists,
  Usage: checkCondition('Ready'),
};
