/** Where clients put a key: OpenAI SDKs send `authorization`, Anthropic SDKs `x-api-key`. */
const keyHeaders = ['authorization', 'x-api-key'] as const;

/** The `apiKeyAuth` of a SecurityPolicy: the keys of these Secrets, taken from the request before it goes on. */
export function apiKeyAuth(secretNames: readonly string[], callerHeader?: string): Record<string, unknown> {
  return {
    credentialRefs: secretNames.map((name) => ({ name })),
    extractFrom: [{ headers: [...keyHeaders] }],
    ...(callerHeader === undefined ? {} : { forwardClientIDHeader: callerHeader }),
    sanitize: true,
  };
}
