/**
 * What happens to a live state once claims have been applied, as core works: one XR at a time in any order, each from
 * what is stored by then, applied at once. The plan renders all of them together instead and knows none of this.
 */

import { applyDefaults } from '../../cli/crossplane/apply-defaults.ts';
import type { CallFunction } from '../../cli/crossplane/function-client.ts';
import type { InstalledKind } from '../../cli/crossplane/package-files.ts';
import { reconcileComposite } from '../../cli/crossplane/reconcile-composite.ts';
import type { RenderOutput } from '../../cli/crossplane/render-output.ts';
import { findObjects, identityOf, type World } from '../../cli/crossplane/world.ts';
import { applyOutputs, type Rendered } from '../../cli/plan/apply-outputs.ts';
import type { Clock } from '../../cli/plan/follow-change.ts';
import { react } from '../../cli/plan/react/react.ts';
import { assumeInstalled } from '../../cli/render/assume-installed.ts';
import { compositionResourceName } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { minuteMillis } from '../../domain/units/duration.ts';

export interface CoreQuestion {
  readonly world: World;
  readonly rendered: Rendered;
  readonly kinds: ReadonlyMap<string, InstalledKind>;
  readonly call: CallFunction;
  readonly clock: Clock;
  /** The order in which XRs take their turns. */
  readonly shuffle: <T>(items: readonly T[]) => readonly T[];
}

export interface CoreResult {
  readonly world: World;
  /** Names of the pods that went so that others start, in the order in which they did. */
  readonly restarted: readonly string[];
}

/** Rounds after which something that still moves is taken to move for ever. */
const mostRounds = 200;

/** Runs until a round of all XRs changes nothing. */
export async function runAsCore(question: CoreQuestion): Promise<CoreResult> {
  const { kinds, clock, shuffle } = question;
  let { world, rendered } = question;
  const restarted: string[] = [];
  for (let round = 0; round < mostRounds; round += 1) {
    const before = world;
    for (const identity of shuffle([...world.keys()])) {
      const xr = world.get(identity);
      if (xr === undefined || !kinds.has(xr.kind)) continue;
      const output = await reconcileOne(question, xr, world);
      const applied = applyOutputs({ world, rendered, kinds }, [output]);
      const change = react(world, applied.world);
      restarted.push(...change.restarted.map(({ metadata }) => metadata.name ?? ''));
      ({ world } = change);
      ({ rendered } = applied);
    }
    if (JSON.stringify([...before].sort()) === JSON.stringify([...world].sort())) return { world, restarted };
    clock.now = new Date(clock.now.getTime() + minuteMillis);
  }
  throw new Error(`still moving after ${mostRounds} rounds`);
}

async function reconcileOne(question: CoreQuestion, xr: KubernetesObject, world: World): Promise<RenderOutput> {
  const installed = question.kinds.get(xr.kind);
  if (installed === undefined) throw new Error(`${xr.kind} is not installed`);
  const observed = [...world.values()].filter(
    ({ metadata }) =>
      metadata.annotations?.[compositionResourceName] !== undefined &&
      (metadata.ownerReferences ?? []).some(
        ({ kind, name }) => kind === xr.kind && name === xr.metadata.name && isNear(metadata.namespace, xr),
      ),
  );
  return await reconcileComposite({
    xr: applyDefaults(installed.schema, xr) as KubernetesObject,
    composition: installed.composition,
    observed,
    call: question.call,
    fetch: { resources: (selector) => findObjects(world, selector), schema: assumeInstalled() },
  });
}

function isNear(namespace: string | undefined, { metadata }: KubernetesObject): boolean {
  return metadata.namespace === undefined || metadata.namespace === namespace;
}

/** What every XR renders of a world as it is, by identity. */
export async function renderedOf(question: Omit<CoreQuestion, 'rendered' | 'shuffle'>): Promise<Rendered> {
  const rendered = new Map<string, KubernetesObject>();
  for (const xr of question.world.values()) {
    if (!question.kinds.has(xr.kind)) continue;
    const core = { ...question, rendered, shuffle: <T>(items: readonly T[]) => items };
    const { composed } = await reconcileOne(core, xr, question.world);
    for (const object of composed) rendered.set(identityOf(object), object);
  }
  return rendered;
}
