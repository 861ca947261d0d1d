import type { Compose } from '../functions/compose.ts';

/** A function that composes nothing and requires nothing. */
export const composeNothing: Compose = () => ({
  requirements: { resources: {} },
  composed: new Map(),
  status: {},
  conditions: [],
});
