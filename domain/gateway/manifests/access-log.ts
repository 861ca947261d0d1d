/**
 * The access log: who asked for which model, how many tokens, and how it ended. A stream that was cut shows status 200
 * and a flag; `details` tells a client that left from a listener that was replaced. The caller is there twice: the
 * header is gone where a backend removes it, the metadata is empty for answers that the gateway gives itself.
 */
export function accessLog(callerHeader: string): Record<string, unknown> {
  const metadata = (key: string) => `%DYNAMIC_METADATA(io.envoy.ai_gateway:${key})%`;
  const json = {
    ts: '%START_TIME%',
    request_id: '%REQ(X-REQUEST-ID)%',
    caller: `%REQ(${callerHeader.toUpperCase()})%`,
    caller_ai: metadata('caller'),
    method: '%REQ(:METHOD)%',
    path: '%REQ(X-AI-EG-ORIGINAL-PATH?:PATH)%',
    status: '%RESPONSE_CODE%',
    flags: '%RESPONSE_FLAGS%',
    details: '%RESPONSE_CODE_DETAILS%',
    duration_ms: '%DURATION%',
    first_byte_ms: '%RESPONSE_DURATION%',
    bytes_out: '%BYTES_SENT%',
    route: '%ROUTE_NAME%',
    upstream: '%UPSTREAM_HOST%',
    model: '%REQ(X-AI-EG-MODEL)%',
    model_used: metadata('model_name_override'),
    model_reported: metadata('response_model'),
    backend: metadata('backend_name'),
    tokens_in: metadata('llm_input_token'),
    tokens_cached: metadata('llm_cached_input_token'),
    tokens_out: metadata('llm_output_token'),
    tokens_total: metadata('llm_total_token'),
  };
  const sinks = [{ type: 'File', file: { path: '/dev/stdout' } }];
  return { settings: [{ type: 'Route', sinks, format: { type: 'JSON', json } }] };
}
