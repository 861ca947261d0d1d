import { z } from 'zod';
import { findDrafter } from '../model/find-drafter.ts';
import type { StatedSettings } from './engine-settings.ts';

/** What `--speculative-config` says of memory; the engine checks the rest. */
const SpeculativeConfig = z.looseObject({
  method: z.string().optional(),
  model: z.string().optional(),
  num_speculative_tokens: z.number().optional(),
});

/** Methods that take their proposals from the text so far, and load nothing. */
const withoutLayers = /^(ngram|suffix)/;
const nothingLoaded = {
  name: 'none',
  layers: 0,
  keyValueHeads: 1,
  headSize: 1,
  weightBytes: 0,
  source: '',
  readOn: '',
};

/** The drafter that an author asks for: tokens at once, and whose layers propose them; empty where the text is no JSON. */
export function readSpeculation(text: string | undefined): StatedSettings {
  const config = text === undefined ? undefined : parseConfig(text);
  if (config === undefined) return {};
  const { method = '', model, num_speculative_tokens: draftTokens } = config;
  if (withoutLayers.test(method)) return { draftTokens, drafter: nothingLoaded };
  return { draftTokens, ...(model === undefined || /mtp/.test(method) ? {} : namedDrafter(model)) };
}

/** The facts of a drafter by its name; its name where they are unknown, so that no figure is made up. */
function namedDrafter(model: string): StatedSettings {
  const drafter = findDrafter(model);
  return drafter === undefined ? { unknownDrafter: model } : { drafter };
}

function parseConfig(text: string): z.output<typeof SpeculativeConfig> | undefined {
  try {
    return SpeculativeConfig.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
