import { featureNames, hasFeature } from '../../domain/kubernetes/feature.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { CallFunction } from '../crossplane/function-client.ts';
import { startLocalFunctions } from '../crossplane/local-functions.ts';
import { type InstalledKind, readInstalledKinds } from '../crossplane/package-files.ts';
import type { World } from '../crossplane/world.ts';
import { readObjects } from '../read-objects.ts';
import { assumeInstalled } from '../render/assume-installed.ts';
import { describeClaims } from '../render/describe-claims.ts';
import { findFaults } from '../render/find-faults.ts';
import { UnreadableInput } from '../unreadable.ts';
import { applyClaims } from './apply-claims.ts';
import { applyOutputs, type Rendered } from './apply-outputs.ts';
import { type Clock, type Followed, type FollowQuestion, followChange, renderWorld } from './follow-change.ts';
import { compareUsd, listCapacity } from './list-capacity.ts';
import { listChanges } from './list-changes.ts';
import { listRestarts } from './list-restarts.ts';
import { listStreams } from './list-streams.ts';
import type { Plan } from './plan.ts';
import { readLive } from './read-live.ts';

export interface PlanFiles {
  /** File or folder with the claims as they are to be. */
  readonly file: string;
  /** Folder, file or `-` with what exists; unset: nothing does. */
  readonly live?: string;
  readonly now: Date;
}

/** Plans the change from files. Throws `UnreadableInput`. */
export async function planFiles({ file, live, now }: PlanFiles): Promise<Plan> {
  const kinds = readInstalledKinds();
  const claims = readObjects(file);
  if (!claims.some(({ kind }) => kinds.has(kind))) {
    const wanted = [...kinds.keys()].sort().join(', ');
    throw new UnreadableInput(`Cannot plan "${file}": it has no claim; write one of ${wanted}`);
  }
  const faults = findFaults(claims, kinds);
  if (faults.length > 0) throw new UnreadableInput(`Cannot plan "${file}": ${faults.slice(0, 5).join('; ')}`);
  const world = readLive(live, kinds);
  const clock: Clock = { now };
  const functions = await startLocalFunctions(() => clock.now);
  try {
    return await planChange({ claims, live: world, kinds, clock, call: functions.call });
  } finally {
    await functions.stop();
  }
}

export interface PlanQuestion {
  readonly claims: readonly KubernetesObject[];
  readonly live: World;
  readonly kinds: ReadonlyMap<string, InstalledKind>;
  readonly call: CallFunction;
  /** The clock of the functions behind `call`. */
  readonly clock: Clock;
}

/** What applying claims over a live state would do, followed to its end. */
export async function planChange({ claims, live, kinds, clock, call }: PlanQuestion): Promise<Plan> {
  const surroundings = { kinds, clock, call, schema: assumeInstalled(missingParts(live)) };
  const rendered = await renderedNow(surroundings, live);
  const followed = await followChange({ ...surroundings, world: applyClaims(live, claims, kinds), rendered });
  return describe({ live, rendered, followed, claims, kinds, now: clock.now });
}

/** What is rendered of the live state as it is, before the change. */
async function renderedNow(surroundings: Omit<FollowQuestion, 'world' | 'rendered'>, live: World): Promise<Rendered> {
  if (live.size === 0) return new Map();
  const { outputs } = await renderWorld(surroundings, live);
  const { kinds } = surroundings;
  return applyOutputs({ world: live, rendered: new Map(), kinds }, outputs).rendered;
}

/** Optional parts that a live cluster says it does not have. */
function missingParts(live: World) {
  const clusters = [...live.values()].filter(({ kind }) => kind === 'InferenceCluster');
  return featureNames.filter((name) => clusters.some((cluster) => hasFeature(cluster, name) === false));
}

interface PlanParts extends Pick<PlanQuestion, 'claims' | 'live' | 'kinds'> {
  readonly now: Date;
  readonly rendered: Rendered;
  readonly followed: Followed;
}

function describe({ claims, live, kinds, now, rendered, followed }: PlanParts): Plan {
  const after = { world: followed.world, rendered: followed.rendered };
  const changes = listChanges({ before: { world: live, rendered }, after, claims, kinds });
  const replaced = changes.filter(({ action }) => action === 'replace');
  return {
    changes,
    replaced: replaced.map(({ kind, name, why }) => ({ kind, name, why })),
    restarts: listRestarts(live, followed.restarts),
    usdPerHour: compareUsd(live, after.world),
    capacity: listCapacity(live, after.world),
    streams: listStreams({ before: live, after: after.world, restarts: followed.restarts, changes }),
    problems: problemsOf(followed, now),
  };
}

/** What refuses a claim, and whether the change comes to an end at all. */
function problemsOf({ world, passes, settled }: Followed, now: Date): readonly string[] {
  const xrs = [...world.values()].filter(({ apiVersion }) => apiVersion.startsWith('modelberth.dev/'));
  const refused = describeClaims(xrs, now).filter((report) => report.refused);
  const moving = `The change does not come to an end in ${passes} passes`;
  return [...refused.flatMap(({ notes }) => notes), ...(settled ? [] : [moving])];
}
