/**
 * Reconciles every XR of a set of claims, in dependency order, until nothing changes: the composed ModelReplicas too,
 * and each XR's status is what the others read in the next round. What is composed counts as applied and not as
 * observed: only what the user says was observed is evidence (S5).
 */
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { compositeLabel } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { applyDefaults } from './apply-defaults.ts';
import type { CallFunction } from './function-client.ts';
import type { InstalledKind } from './package-files.ts';
import { keyOf, reconcileComposite, uidOf } from './reconcile-composite.ts';
import type { RenderOutput } from './render-output.ts';
import type { Fetch } from './run-step.ts';
import { compareText, findObjects, identityOf, toWorld, type World } from './world.ts';

/** Order in which XRs read each other. */
const order = [
  'InferenceClass',
  'InferenceCluster',
  'InferenceGateway',
  'ModelDeployment',
  'ModelReplica',
  'ModelService',
];
const mostRounds = 8;

export interface WorldQuestion {
  /** What the user gave: claims and everything else that exists. */
  readonly given: readonly KubernetesObject[];
  /** Composed resources that the user says were observed, each with key and owner. */
  readonly observed: readonly KubernetesObject[];
  readonly kinds: ReadonlyMap<string, InstalledKind>;
  readonly call: CallFunction;
  readonly schema: Fetch['schema'];
  /** What providers would make of what was composed so far; what the user says was observed goes before it. */
  readonly assume?: (composed: readonly KubernetesObject[]) => readonly KubernetesObject[];
}

export interface WorldResult {
  /** The last reconcile of every XR, in order. */
  readonly outputs: readonly RenderOutput[];
  readonly rounds: number;
  /** False when the last round still changed something. */
  readonly settled: boolean;
}

/** Reconciles until a round changes nothing, at most eight times. */
export async function reconcileWorld(question: WorldQuestion): Promise<WorldResult> {
  let outputs = new Map<string, RenderOutput>();
  for (let round = 1; round <= mostRounds; round += 1) {
    const before = canonicalJson([...outputs]);
    outputs = await reconcileRound(question, outputs);
    if (canonicalJson([...outputs]) === before) return { outputs: [...outputs.values()], rounds: round, settled: true };
  }
  return { outputs: [...outputs.values()], rounds: mostRounds, settled: false };
}

async function reconcileRound(
  question: WorldQuestion,
  earlier: ReadonlyMap<string, RenderOutput>,
): Promise<Map<string, RenderOutput>> {
  const outputs = new Map<string, RenderOutput>();
  for (const kind of order) {
    const installed = question.kinds.get(kind);
    if (installed === undefined) continue;
    for (const xr of listXrs(question, kind, earlier, outputs)) {
      const assumed = question.assume?.([...earlier.values()].flatMap(({ composed }) => composed)) ?? [];
      const known = [...question.given, ...question.observed, ...xrsOf(earlier), ...xrsOf(outputs)];
      const world = toWorld([...assumed, ...known]);
      outputs.set(identityOf(xr), await reconcileOne(question, { installed, xr, world }));
    }
  }
  return outputs;
}

function xrsOf(outputs: ReadonlyMap<string, RenderOutput>): readonly KubernetesObject[] {
  return [...outputs.values()].map((output) => output.composite);
}

/** The XRs of a kind: those given, and those composed, each with the status that was written last. */
function listXrs(
  { given, observed }: WorldQuestion,
  kind: string,
  earlier: ReadonlyMap<string, RenderOutput>,
  current: ReadonlyMap<string, RenderOutput>,
): readonly KubernetesObject[] {
  const composed = [...current.values()].flatMap((output) => output.composed);
  const found = new Map<string, KubernetesObject>();
  for (const object of [...given, ...observed, ...composed]) {
    if (object.kind !== kind) continue;
    const identity = identityOf(object);
    const status = earlier.get(identity)?.composite.status ?? object.status ?? found.get(identity)?.status;
    found.set(identity, status === undefined ? object : { ...object, status });
  }
  return [...found.values()].sort((left, right) => compareText(identityOf(left), identityOf(right)));
}

async function reconcileOne(
  question: WorldQuestion,
  { installed, xr, world }: { installed: InstalledKind; xr: KubernetesObject; world: World },
): Promise<RenderOutput> {
  const defaulted = applyDefaults(installed.schema, { ...xr, metadata: { ...xr.metadata, uid: uidOf(xr) } });
  const known = [...world.values()];
  return await reconcileComposite({
    xr: defaulted as KubernetesObject,
    composition: installed.composition,
    observed: known.filter((object) => keyOf(object) !== '' && isOwnedBy(object, xr)),
    call: question.call,
    fetch: { resources: (selector) => findObjects(world, selector), schema: question.schema },
  });
}

/** Tells whether an observed object was composed by an XR: by its owner, else by the label that core sets. */
function isOwnedBy(object: KubernetesObject, xr: KubernetesObject): boolean {
  const { namespace, name } = xr.metadata;
  if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
  const owners = object.metadata.ownerReferences ?? [];
  if (owners.length > 0) return owners.some((owner) => owner.kind === xr.kind && owner.name === name);
  return object.metadata.labels?.[compositeLabel] === name;
}
