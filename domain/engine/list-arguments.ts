import { type ExplainedFlag, explainFlags } from '../fit/advice/explain-flags.ts';
import { parseFlags } from '../fit/author-settings.ts';
import { canonicalFlag } from '../fit/flag-name.ts';
import { checkpointOf } from '../model/weights.ts';
import { computedFlags, type FlagsQuestion } from './computed-flags.ts';
import type { Engine } from './engine.ts';

/** Variables that LeaderWorkerSet sets in each pod of a gang (v0.8.0, run 2026-12-01). */
export const leaderAddressVariable = 'LWS_LEADER_ADDRESS';
const workerIndexVariable = 'LWS_WORKER_INDEX';
/** Port on which the ranks of a gang find each other. */
const gangPort = 29500;

export interface ArgumentsQuestion extends FlagsQuestion {
  /** Arguments that the author added; one that is also computed replaces it. */
  readonly authorArgs: readonly string[];
}

/** The command line after what starts the engine: vLLM's checkpoint, then each flag once, sorted; the author's win. */
export function listArguments(question: ArgumentsQuestion): readonly string[] {
  const flags = new Map<string, readonly string[]>();
  const computed = computedFlags(question).map(({ flag, value }) => (value === '' ? flag : `${flag}=${value}`));
  for (const words of [...groupFlags(computed), ...groupFlags(question.authorArgs)]) flags.set(flagName(words), words);
  return [
    ...(question.type === 'vLLM' ? [checkpointOf(question.model)] : []),
    ...[...flags].sort(([left], [right]) => (left < right ? -1 : 1)).flatMap(([, words]) => words),
  ];
}

/** Every flag of the command line with who set it and why, in the order of the command line. */
export function explainArguments(question: ArgumentsQuestion): readonly ExplainedFlag[] {
  const explained = explainFlags(computedFlags(question), question.authorArgs);
  const known = new Set(explained.map(({ flag }) => flag));
  const added = [...parseFlags(question.authorArgs)].filter(([flag]) => !known.has(flag));
  const authors = added.map(([flag, value]) => ({ flag, value, setBy: 'author' as const, reason: 'spec.engine.args' }));
  return [...explained, ...authors].sort((left, right) => (left.flag < right.flag ? -1 : 1));
}

/** Each flag with the values that follow it, as words of the command line; a negative number is a value. */
function groupFlags(args: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const word of args) {
    const last = groups.at(-1);
    if (/^--?[A-Za-z]/.test(word) || last === undefined) groups.push([word]);
    else last.push(word);
  }
  return groups;
}

function flagName([flag = '']: readonly string[]): string {
  return canonicalFlag(flag.split('=')[0] ?? flag);
}

export interface Gang {
  readonly engine: Pick<Engine, 'type'>;
  readonly shape: { readonly nodes: number };
}

/** What a pod of a gang adds to the command line: who leads, how many nodes there are, and which one it is. */
export function gangArguments({ engine, shape }: Gang, role: 'leader' | 'worker'): readonly string[] {
  const rank = role === 'leader' ? '0' : `$(${workerIndexVariable})`;
  const ranks = [`--nnodes=${shape.nodes}`, `--node-rank=${rank}`];
  if (engine.type === 'SGLang') return [`--dist-init-addr=$(${leaderAddressVariable}):${gangPort}`, ...ranks];
  return [
    '--distributed-executor-backend=mp',
    ...(role === 'worker' ? ['--headless'] : []),
    `--master-addr=$(${leaderAddressVariable})`,
    `--master-port=${gangPort}`,
    ...ranks,
  ];
}
