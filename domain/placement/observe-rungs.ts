import type { ExistingPool } from '../hardware/existing-pool.ts';
import { annotation } from '../kubernetes/label.ts';
import { type KubernetesObject, readList, readNumber, readString } from '../kubernetes/object.ts';
import { parseShape } from '../shape/shape.ts';
import { isTimestamp, millisBetween } from '../units/duration.ts';
import { type Candidate, rungName } from './candidate.ts';
import { isUsableNode, nodeGroupLabel } from './node.ts';
import { type ReplicaIdentity, renderNodeGroups } from './node-group.ts';
import { type ReplicaPools, viewLeftPool, viewPoolRung } from './pools/view-pool-rung.ts';
import type { GroupView, RungView } from './rung.ts';

export interface RungsQuestion {
  readonly candidates: readonly Candidate[];
  /** Observed node groups of the replica by their key. */
  readonly groups: ReadonlyMap<string, KubernetesObject>;
  /** Nodes that joined for the replica. */
  readonly nodes: readonly KubernetesObject[];
  readonly replica: ReplicaIdentity;
  /** Names of rungs whose reservation nears its end, as the class has it. */
  readonly endings?: readonly string[];
  readonly now?: Date;
  /** What the replica has of existing pools, and the pools that its cluster has; unset: none. */
  readonly pools?: ReplicaPools & { readonly spec: readonly ExistingPool[] };
}

/**
 * The ladder as observed: the allowed candidates in order, each with the groups that exist for it, then rungs that only
 * exist. A group says by its annotation which rung it belongs to, so a changed catalogue cannot orphan it (S2).
 */
export function observeRungs(question: RungsQuestion): readonly RungView[] {
  const { candidates, groups, nodes, replica, pools } = question;
  const endings = new Set(question.endings);
  const byGroup = Map.groupBy(nodes, (node) => node.metadata.labels?.[nodeGroupLabel] ?? '');
  const views = new Map<string, GroupView[]>();
  const prices = new Map<string, number>();
  for (const [key, object] of groups) {
    const name = object.metadata.annotations?.[annotation.rung] ?? rungOfName(object, candidates, replica) ?? 'unknown';
    views.set(name, [...(views.get(name) ?? []), viewGroup(key, object, byGroup)]);
    const price = readPrice(object);
    if (price !== undefined) prices.set(name, price);
    if (hasEnded(object, question.now)) endings.add(name);
  }
  const allowed = candidates.map((candidate): RungView => {
    if (candidate.pool !== undefined && pools !== undefined) return viewPoolRung(candidate, candidate.pool, pools);
    const name = rungName(candidate);
    const existing = views.get(name) ?? [];
    const price = prices.get(name) ?? candidate.usdPerHour;
    const priced = price === undefined ? { usdPerHour: 0, isUnpriced: true } : { usdPerHour: price };
    return { name, nodes: candidate.shape.nodes, ...priced, groups: existing, allowed: true };
  });
  const known = new Set(allowed.map((rung) => rung.name));
  const leftover = [...views].filter(([name]) => !known.has(name));
  const kept = leftover.map(([name, existing]): RungView => {
    return {
      name,
      nodes: nodesOf(name, existing),
      ...(prices.has(name) ? { usdPerHour: prices.get(name) ?? 0 } : { usdPerHour: 0, isUnpriced: true }),
      groups: existing,
      ...(endings.has(name) ? { isEnding: true } : {}),
      allowed: false,
    };
  });
  return [...allowed, ...kept, ...(pools === undefined ? [] : viewLeftPool(known, pools, pools.spec))];
}

/** Tells whether the moment at which a group is left has come, as it was known when the group was made. */
function hasEnded({ metadata }: KubernetesObject, now: Date | undefined): boolean {
  const from = metadata.annotations?.[annotation.replaceAt];
  return now !== undefined && isTimestamp(from) && millisBetween(from, now) >= 0;
}

/** The rung of a group that lost its annotation: the candidate that would give it the name that it has. */
function rungOfName(
  { metadata }: KubernetesObject,
  candidates: readonly Candidate[],
  replica: ReplicaIdentity,
): string | undefined {
  const maker = candidates.find((candidate) =>
    renderNodeGroups(candidate, replica).some((group) => group.metadata.name === metadata.name),
  );
  return maker === undefined ? undefined : rungName(maker);
}

function nodesOf(rung: string, groups: readonly GroupView[]): number {
  return parseShape(rung.split('/')[1] ?? '')?.nodes ?? groups.length;
}

function viewGroup(
  key: string,
  object: KubernetesObject,
  nodes: ReadonlyMap<string, readonly KubernetesObject[]>,
): GroupView {
  const name = object.metadata.annotations?.[annotation.externalName] ?? object.metadata.name ?? key;
  const own = nodes.get(name) ?? [];
  const observedSize = readNumber(object, ['status', 'atProvider', 'scalingConfig', 'desiredSize']);
  const providerStatus = readString(object, ['status', 'atProvider', 'status']);
  const listed = readList(object, ['spec', 'forProvider', 'instanceTypes']).filter(isText);
  const stated = object.metadata.annotations?.[annotation.instanceType];
  const instanceTypes = listed.length > 0 || stated === undefined ? listed : [stated];
  return {
    key,
    name,
    ...(instanceTypes.length === 0 ? {} : { instanceTypes }),
    specSize: readNumber(object, ['spec', 'forProvider', 'scalingConfig', 'desiredSize']) ?? 0,
    joined: own.length,
    usable: own.filter(isUsableNode).length,
    ...(observedSize === undefined ? {} : { observedSize }),
    ...(providerStatus === undefined ? {} : { providerStatus }),
    ...moment('askedAt', askedMoment(object)),
    ...moment('parkedAt', object.metadata.annotations?.[annotation.parkedAt]),
    ...moment('raisedAt', object.metadata.annotations?.[annotation.raisedAt]),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function moment<K extends string>(field: K, text: string | undefined): Partial<Record<K, string>> {
  return isTimestamp(text) ? ({ [field]: text } as Partial<Record<K, string>>) : {};
}

/** When the group was asked. One with a size but without our memory of it counts from its creation: it is never given up for that. */
function askedMoment(object: KubernetesObject): string | undefined {
  const remembered = object.metadata.annotations?.[annotation.askedAt];
  const size = readNumber(object, ['spec', 'forProvider', 'scalingConfig', 'desiredSize']) ?? 0;
  if (isTimestamp(remembered) || size === 0) return remembered;
  return object.metadata.creationTimestamp ?? '1970-01-01T00:00:00Z';
}

/** The price that was written with the group; undefined when it is gone or no price, which is not nothing. */
function readPrice(object: KubernetesObject): number | undefined {
  const text = object.metadata.annotations?.[annotation.usdPerHour] ?? '';
  const price = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(price) && price > 0 ? price : undefined;
}
