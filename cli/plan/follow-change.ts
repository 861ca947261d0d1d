/**
 * Follows a change to its end: render what exists, apply it, let everything else settle, and again, until nothing moves.
 * The render is the one of `modelberth render`, through the same functions, so that a plan and what happens then cannot
 * disagree; only what others do (EKS, Kubernetes, gateways) is assumed, and to go well.
 */
import { compositionResourceName } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { minuteMillis } from '../../domain/units/duration.ts';
import type { CallFunction } from '../crossplane/function-client.ts';
import type { InstalledKind } from '../crossplane/package-files.ts';
import { reconcileWorld } from '../crossplane/reconcile-world.ts';
import type { Fetch } from '../crossplane/run-step.ts';
import type { World } from '../crossplane/world.ts';
import { assumeInSight } from '../render/assume-in-sight.ts';
import { applyOutputs, type Rendered } from './apply-outputs.ts';
import { react } from './react/react.ts';

/** A clock that stands until it is moved. */
export interface Clock {
  now: Date;
}

export interface FollowQuestion {
  readonly world: World;
  /** What was rendered last for what exists. */
  readonly rendered: Rendered;
  readonly kinds: ReadonlyMap<string, InstalledKind>;
  readonly call: CallFunction;
  readonly schema: Fetch['schema'];
  /** The clock of the functions behind `call`. */
  readonly clock: Clock;
}

/** A pod that goes so that another one starts in its place. */
export interface Restart {
  readonly pod: KubernetesObject;
  /** Pass in which it goes; those of one pass go together. */
  readonly pass: number;
  /** The workload that takes its place. */
  readonly world: World;
}

export interface Followed {
  readonly world: World;
  readonly rendered: Rendered;
  readonly restarts: readonly Restart[];
  readonly passes: number;
  /** False where something still moved when patience ended. */
  readonly settled: boolean;
}

/** Passes after which something that still moves is said to. Each replica of a rollout takes about six. */
const mostPasses = 300;

/** Follows the world to its end. Throws `PipelineFatal` when a step ends the pipeline. */
export async function followChange(question: FollowQuestion): Promise<Followed> {
  const { clock, kinds } = question;
  let { world, rendered } = question;
  const restarts: Restart[] = [];
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    const { outputs } = await renderWorld(question, world);
    const applied = applyOutputs({ world, rendered, kinds }, outputs);
    const change = react(world, applied.world);
    restarts.push(...change.restarted.map((pod) => ({ pod, pass, world: change.world })));
    const isSame = isSameWorld(world, change.world);
    ({ world } = change);
    ({ rendered } = applied);
    if (isSame) return { world, rendered, restarts, passes: pass, settled: true };
    clock.now = new Date(clock.now.getTime() + minuteMillis);
  }
  return { world, rendered, restarts, passes: mostPasses, settled: false };
}

/** One render of what exists, as `modelberth render` does it. */
export async function renderWorld(
  { kinds, call, schema, clock }: Omit<FollowQuestion, 'world' | 'rendered'>,
  world: World,
) {
  const objects = [...world.values()];
  const isComposed = ({ metadata }: KubernetesObject) => metadata.annotations?.[compositionResourceName] !== undefined;
  const given = objects.filter((object) => !isComposed(object));
  const assume = (composed: readonly KubernetesObject[]) => assumeInSight(composed, given, clock.now);
  return await reconcileWorld({ given, observed: objects.filter(isComposed), kinds, call, schema, assume });
}

function isSameWorld(left: World, right: World): boolean {
  return left.size === right.size && [...left].every(([identity, object]) => isSameObject(object, right.get(identity)));
}

function isSameObject(left: KubernetesObject, right: KubernetesObject | undefined): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
