import type { Compose } from './compose.ts';
import { composeEngine } from './engine-config/compose.ts';
import { composeGateway } from './gateway/compose.ts';
import { composePlacement } from './placement/compose.ts';
import { composeRollout } from './rollout-strategy/compose.ts';
import type { FunctionName } from './steps.ts';

/** The four functions by name. */
export const functions: Readonly<Record<FunctionName, Compose>> = {
  placement: composePlacement,
  'engine-config': composeEngine,
  'rollout-strategy': composeRollout,
  gateway: composeGateway,
};
