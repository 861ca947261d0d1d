import { parseFlags } from '../author-settings.ts';
import type { ComputedFlag } from './memory-flags.ts';

/** One flag of the engine, who set it, and why it has its value. */
export interface ExplainedFlag extends ComputedFlag {
  readonly setBy: 'computed' | 'author';
}

/** The computed flags, each once and with its reason; the author's value stands where there is one. */
export function explainFlags(
  computed: readonly ComputedFlag[],
  authorArgs: readonly string[],
): readonly ExplainedFlag[] {
  const author = parseFlags(authorArgs);
  return computed.map(({ flag, value, reason }) => {
    const written = author.get(flag);
    if (written === undefined) return { flag, value, setBy: 'computed', reason };
    const why = `spec.engine.args sets it; "${value}" was computed: ${reason}`;
    return { flag, value: written, setBy: 'author', reason: why };
  });
}
