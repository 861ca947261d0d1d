/** Protocols that each engine speaks natively (L25). */
export const engineProtocols = { vLLM: ['OpenAI', 'Anthropic'], SGLang: ['OpenAI'] } as const;
