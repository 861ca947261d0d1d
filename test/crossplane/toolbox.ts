import { findToolbox, type Toolbox } from '../../scripts/tool-cache.ts';

/** The binaries and CRDs. Throws when they are not installed; `npm run test:crossplane` skips before it comes to that. */
export function readToolbox(): Toolbox {
  const toolbox = findToolbox();
  if (!('missing' in toolbox)) return toolbox;
  throw new Error(
    `Cannot test with the real Crossplane: ${toolbox.missing.join(', ')} not installed; run "npm run tools"`,
  );
}
