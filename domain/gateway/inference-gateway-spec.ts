import { z } from 'zod';
import { immutable, withRules } from '../kubernetes/spec-rule.ts';
import { CallerAuth } from './caller-auth.ts';
import { LoadBalancer } from './load-balancer.ts';
import { Tls } from './tls.ts';

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const hostname = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;

const Namespace = withRules(z.string().max(63).regex(dnsLabel).default('modelberth-gateway'), [
  immutable('spec.namespace'),
  {
    rule: "self != 'envoy-gateway-system'",
    message:
      'spec.namespace is the namespace of Envoy Gateway itself, where a Gateway is not served: choose another one',
    holds: (namespace) => namespace !== 'envoy-gateway-system',
  },
]);

/** What a platform team writes about one gateway. */
export const InferenceGatewaySpec = z
  .object({
    clusterName: withRules(z.string().min(1).max(63), [immutable('spec.clusterName')]).describe(
      'Name of the InferenceCluster whose models this gateway serves. Cannot change.',
    ),
    namespace: Namespace.describe(
      'Namespace of the composed objects, of the Secrets that spec.auth and spec.tls name and of an "Issuer". It must exist. Cannot change. Default: "modelberth-gateway".',
    ),
    gatewayClassName: z
      .string()
      .min(1)
      .max(253)
      .default('modelberth')
      .describe(
        'Name of the GatewayClass, which must exist once in the cluster with the controller "gateway.envoyproxy.io/gatewayclass-controller". Default: "modelberth".',
      ),
    hostnames: z
      .object({
        api: z.string().max(253).regex(hostname).describe('Host name of the API, for OpenAI and Anthropic clients.'),
      })
      .describe('Host names that callers use; point their DNS records at status.address.'),
    modelNamespaces: z
      .array(z.string().max(63).regex(dnsLabel))
      .max(256)
      .default([])
      .describe('Namespaces whose ModelServices this gateway serves. Default: none.'),
    tls: Tls.describe('The certificate of the host names.'),
    auth: CallerAuth.optional().describe('Who may call. Default: nobody; the gateway is closed until this is written.'),
    callerHeader: z
      .string()
      .max(64)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      .default('x-modelberth-caller')
      .describe(
        'Request header that carries the id of the verified caller to the engine and the access log. What a client sends in it is removed. Default: "x-modelberth-caller".',
      ),
    loadBalancer: LoadBalancer.prefault({}).describe('The load balancer in front of the gateway.'),
    streamIdleSeconds: z
      .int32()
      .min(60)
      .max(86_400)
      .default(3600)
      .describe(
        'Seconds without a byte in either direction after which a running request is ended, 60 to 86400. There is no limit on the whole of a stream. Changing it ends running streams within an hour. Default: 3600.',
      ),
    maxBodySize: z
      .string()
      .regex(/^[1-9][0-9]{0,3}(Ki|Mi)$/)
      .default('50Mi')
      .describe(
        'Largest request body, with the unit Ki or Mi; a larger one is answered 413. Changing it ends running streams within an hour. Default: "50Mi".',
      ),
    deletionProtection: z
      .boolean()
      .default(false)
      .describe(
        'Whether Crossplane refuses to delete this object, so that a GitOps prune cannot take the address of its callers. Default: false. Set it to false before deleting.',
      ),
    replicas: z.int32().min(1).max(64).default(2).describe('Number of Envoy pods. Default: 2.'),
  })
  .describe('Host names, certificate, callers and load balancer of one gateway.');
export type InferenceGatewaySpec = z.output<typeof InferenceGatewaySpec>;
