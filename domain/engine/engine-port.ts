/** Port on which the engine serves requests, health and metrics. */
export const enginePort = 8000;
