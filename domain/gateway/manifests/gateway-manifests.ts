import { authPinPolicy } from './auth-pin-policy.ts';
import { authPinRoute } from './auth-pin-route.ts';
import { authPinTraffic } from './auth-pin-traffic.ts';
import { backendTraffic } from './backend-traffic.ts';
import { baseRoute } from './base-route.ts';
import { callerPolicy } from './caller-policy.ts';
import { certificate } from './certificate.ts';
import { clientTraffic } from './client-traffic.ts';
import { denyPolicy } from './deny-policy.ts';
import { envoyProxy } from './envoy-proxy.ts';
import { gateway } from './gateway.ts';
import { gatewayConfig } from './gateway-config.ts';
import type { GatewayManifest } from './gateway-manifest.ts';
import { nobodySecret } from './nobody-secret.ts';
import { podMonitor } from './pod-monitor.ts';
import { redirectPolicy } from './redirect-policy.ts';
import { redirectRoute } from './redirect-route.ts';

/** Every object of an InferenceGateway. */
export const gatewayManifests: readonly GatewayManifest[] = [
  nobodySecret,
  denyPolicy,
  callerPolicy,
  clientTraffic,
  backendTraffic,
  redirectRoute,
  redirectPolicy,
  authPinRoute,
  authPinPolicy,
  authPinTraffic,
  gatewayConfig,
  certificate,
  envoyProxy,
  baseRoute,
  podMonitor,
  gateway,
];
