import type { ExplainedFlag } from '../../domain/fit/advice/explain-flags.ts';
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { type KubernetesObject, readList, readPath } from '../../domain/kubernetes/object.ts';
import type { RenderedEngine } from '../hand-offs.ts';
import { observedWith } from '../observed-with.ts';

export interface EngineArguments {
  readonly args: readonly string[];
  /** The flags among them, with why each has its value. */
  readonly flags: readonly ExplainedFlag[];
}

export interface ArgumentsQuestion extends EngineArguments {
  readonly observed: ReadonlyMap<string, KubernetesObject>;
  readonly rendered: RenderedEngine;
}

/**
 * The arguments of the engine that runs: after going back, and while an upgrade is on its way, they are not those that
 * the claim asks for (S5). Those of the rendered revision while nothing runs. A flag that runs with another value than
 * the rendered one is not explained, since nobody knows why it had it.
 */
export function runningArguments({ observed, rendered, args, flags }: ArgumentsQuestion): EngineArguments {
  const running = argumentsOf([...observedWith(observed, 'workload-').values()]);
  if (running === undefined || isSame(running, argumentsOf(Object.values(rendered.objects)))) return { args, flags };
  return { args: running, flags: flags.filter((flag) => isAmong(flag, running)) };
}

/** A flag and its value are one word of a command line, or two. */
function isAmong({ flag, value }: ExplainedFlag, words: readonly string[]): boolean {
  if (value === '') return words.includes(flag);
  return words.includes(`${flag}=${value}`) || words.some((word, at) => word === flag && words[at + 1] === value);
}

function isSame(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

/** Where each kind of workload has the containers of whoever answers. */
const leaderPaths = [
  ['spec', 'template', 'spec', 'containers'],
  ['spec', 'leaderWorkerTemplate', 'leaderTemplate', 'spec', 'containers'],
];

function argumentsOf(objects: readonly unknown[]): readonly string[] | undefined {
  const containers = objects.flatMap((object) => leaderPaths.flatMap((path) => readList(object, path)));
  const engine = containers.find((container) => readPath(container, ['name']) === 'engine');
  return engine === undefined ? undefined : readList(engine, ['args']).map(String);
}
