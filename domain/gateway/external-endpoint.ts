import { z } from 'zod';
import { Protocol } from './replica-endpoint.ts';

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const hostname = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;
const path = /^\/([A-Za-z0-9._~-]+(\/[A-Za-z0-9._~-]+)*)?$/;

/** A model that somebody else serves, at a host name that the gateway reaches over TLS. */
export const ExternalEndpoint = z.object({
  name: z
    .string()
    .max(40)
    .regex(dnsLabel)
    .describe('What this service calls the endpoint, e.g. `hosted`; shown in status.endpoints. Unique in the service.'),
  hostname: z
    .string()
    .max(253)
    .regex(hostname)
    .describe(
      'Host name of the endpoint, e.g. `api.vendor.example`. It is reached over TLS, and its certificate must be valid for this name. spec.guardrails.externalEndpoints of the InferenceCluster must allow it.',
    ),
  port: z.int32().min(1).max(65_535).default(443).describe('Port of the endpoint. Default: 443.'),
  pathPrefix: z
    .string()
    .max(128)
    .regex(path)
    .default('/v1')
    .describe(
      'Path in front of `/chat/completions` (OpenAI) or `/messages` (Anthropic) there; `/` where there is none. Default: `/v1`.',
    ),
  schema: Protocol.default('OpenAI').describe(
    '"OpenAI": also answers Anthropic clients, translated. "Anthropic": answers Anthropic clients only, because requests of OpenAI clients are not translated to it. Default: "OpenAI".',
  ),
  modelName: z.string().min(1).max(253).describe('Name of the model there; it replaces the name that the caller sent.'),
  apiKeySecretRef: z
    .object({ name: z.string().min(1).max(253).describe('Name of an Opaque Secret in the namespace of the service.') })
    .optional()
    .describe(
      'The Secret with the key of the endpoint under the data key `apiKey`. It is sent as "Authorization: Bearer KEY" (OpenAI) or "x-api-key: KEY" (Anthropic); keys of callers never are. Left out: no key is sent.',
    ),
});
export type ExternalEndpoint = z.output<typeof ExternalEndpoint>;
