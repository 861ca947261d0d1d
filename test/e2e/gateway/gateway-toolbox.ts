import { findGatewayToolbox, type GatewayToolbox } from '../../../scripts/tool-cache.ts';

/** The binaries for a real Envoy. Throws when they are not installed; `npm run test:gateway` skips before it comes to that. */
export function readGatewayToolbox(): GatewayToolbox {
  const toolbox = findGatewayToolbox();
  if (!('missing' in toolbox)) return toolbox;
  throw new Error(`Cannot test with a real Envoy: ${toolbox.missing.join(', ')} not installed; run "npm run tools"`);
}
