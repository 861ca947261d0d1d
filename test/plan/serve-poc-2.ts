/**
 * A live state of `examples/poc-2` as a cluster would have it: both models serve, the box of two accelerators never came
 * and a gang serves in its place (L9), and one engine is older than the example says. Rendered by the functions, never
 * written by hand.
 */
import { join } from 'node:path';
import { readInstalledKinds } from '../../cli/crossplane/package-files.ts';
import { identityOf, type World } from '../../cli/crossplane/world.ts';
import { applyClaims } from '../../cli/plan/apply-claims.ts';
import { applyOutputs } from '../../cli/plan/apply-outputs.ts';
import { type Clock, followChange, renderWorld } from '../../cli/plan/follow-change.ts';
import { readObjects } from '../../cli/read-objects.ts';
import { assumeInstalled } from '../../cli/render/assume-installed.ts';
import { isRecord, type KubernetesObject, readPath } from '../../domain/kubernetes/object.ts';
import { root } from '../render/read-cases.ts';
import { surroundings } from '../render/surroundings.ts';
import { callAt } from './call-at.ts';

/** The engine that runs, where the example says a newer one. */
const olderImage = 'vllm/vllm-openai:mimo-v2.5';
/** What a person renamed a pool to, by writing it out, deleting the object without its group, and applying it again. */
const renamedPool = 'mimo-second-card';

const kinds = readInstalledKinds();
const hour = 3_600_000;

/** Everything that exists, by identity. */
export async function servePoc2(): Promise<World> {
  const clock: Clock = { now: surroundings.now() };
  const call = callAt(clock);
  const follow = { kinds, call, schema: assumeInstalled(), clock };
  const claims = readObjects(join(root, 'examples/poc-2')).map(withOlderEngine);
  // The box is asked alone, and nothing comes.
  const mimo = claims.filter(({ metadata }) => metadata.name !== 'qwen');
  let world = applyClaims(new Map(), mimo, kinds);
  for (let pass = 0; pass < 3; pass += 1)
    ({ world } = applyOutputs({ world, rendered: new Map(), kinds }, (await renderWorld(follow, world)).outputs));
  world = new Map([...world].map(([identity, object]) => [identity, givenUp(object)]));
  // Past patience the gang is asked, and comes.
  clock.now = new Date(clock.now.getTime() + hour / 4);
  world = applyClaims(world, claims, kinds);
  for (let times = 0; times < 3; times += 1) {
    const followed = await followChange({ ...follow, world, rendered: new Map() });
    if (!followed.settled) throw new Error('examples/poc-2 does not come to serve');
    ({ world } = followed);
    clock.now = new Date(clock.now.getTime() + 2 * hour);
  }
  return rename(world);
}

function withOlderEngine(claim: KubernetesObject): KubernetesObject {
  if (claim.kind !== 'ModelDeployment' || claim.metadata.name !== 'mimo') return claim;
  const copy = structuredClone(claim);
  Object.assign(readPath(copy, ['spec', 'engine']) ?? {}, { image: olderImage });
  return copy;
}

function givenUp(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'NodeGroup') return object;
  const scalingConfig = readPath(object, ['spec', 'forProvider', 'scalingConfig']);
  return { ...object, status: { atProvider: { status: 'CREATE_FAILED', scalingConfig } } };
}

/** The second node group of the gang under another name; its key and its group in EKS are the same. */
function rename(world: World): World {
  const groups = [...world.values()].filter(
    ({ kind, metadata }) => kind === 'NodeGroup' && metadata.annotations?.['modelberth.dev/rung']?.includes('/2x1'),
  );
  const pool = groups.sort((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1))[1];
  if (pool === undefined) throw new Error('the gang of mimo has no second node group');
  const renamed = { ...pool, metadata: { ...pool.metadata, name: renamedPool } };
  const rest = [...world].filter(([identity]) => identity !== identityOf(pool));
  return new Map([...rest, [identityOf(renamed), renamed]]);
}

/** Objects as kubectl prints them, in the order of their kinds; Secrets stay where they are. */
export function asPrinted(world: World): readonly KubernetesObject[] {
  const objects = [...world.values()].filter(({ kind }) => kind !== 'Secret');
  return objects
    .sort((left, right) => (identityOf(left) < identityOf(right) ? -1 : 1))
    .map((object) => withoutEmpty(object) as KubernetesObject);
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(entries.map(([field, child]) => [field, withoutEmpty(child)]));
}
