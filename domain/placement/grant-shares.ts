/**
 * What each replica of a capped namespace may spend, decided in one place: the ledger of the cluster. A replica says
 * what it wants, the ledger grants, and only then the replica asks, so that two replicas cannot both take the same room.
 * What was asked for is never taken back (S1); beyond that the oldest replica is served first, and one that is too
 * large leaves the room to those after it.
 * Refused: letting each replica subtract what the others spend. Two that look at the same moment would both ask.
 */
import { isRecord, type KubernetesObject, readList, readNumber, readPath, readString } from '../kubernetes/object.ts';
import {
  type AmountName,
  type Amounts,
  add,
  amountNames,
  anyNumber,
  areWithin,
  type Caps,
  largest,
  nothing,
  subtract,
} from './amounts.ts';
import { ageOf } from './replica-age.ts';

/** What one replica spends and would spend. */
export interface ReplicaDemand {
  readonly namespace: string;
  readonly replica: string;
  /** Everything that it has asked for; `anyNumber` of accelerators where it spends and does not say how many it has. */
  readonly asked: Amounts;
  /** The same with what it would ask for next; undefined while its status says neither, which is not the same as none. */
  readonly wanted: Amounts | undefined;
}

/** What one replica may ask for. */
export interface Grant extends Amounts {
  readonly namespace: string;
  readonly replica: string;
}

/** The demands of the replicas on a cluster, oldest first. */
export function listDemands(replicas: readonly KubernetesObject[], cluster: string): readonly ReplicaDemand[] {
  const own = replicas.filter((replica) => readString(replica, ['spec', 'clusterName']) === cluster);
  return byAge(own, (replica) => toDemand(replica, readPath(replica, ['status'])));
}

/** The demands on a class of the replicas that may use it or do, oldest first. */
export function listClassDemands(replicas: readonly KubernetesObject[], name: string): readonly ReplicaDemand[] {
  const users = replicas.filter((replica) => {
    const allowed = readList(replica, ['spec', 'placement', 'classes']);
    return allowed.includes(name) || readString(replica, ['status', 'class']) === name;
  });
  return byAge(users, (replica) => {
    const rows = readList(replica, ['status', 'byClass']);
    const row = rows.find((one) => readString(one, ['class']) === name);
    return toDemand(replica, row ?? unsaid(replica));
  });
}

/** What a replica may hold of a class of which its status says nothing: all that it has asked for. */
function unsaid(replica: KubernetesObject): unknown {
  const usdPerHour = readNumber(replica, ['status', 'usdPerHour']);
  return usdPerHour === undefined ? {} : { usdPerHour };
}

function byAge(
  replicas: readonly KubernetesObject[],
  demandOf: (replica: KubernetesObject) => ReplicaDemand,
): readonly ReplicaDemand[] {
  return replicas
    .map((replica) => ({ age: ageOf(replica), demand: demandOf(replica) }))
    .sort((left, right) => (left.age < right.age ? -1 : 1))
    .map(({ demand }) => demand);
}

/**
 * A replica that published nothing of its accelerators yet, since the cap on them is new, may hold any number: nobody
 * else gets more until it has said so.
 */
function toDemand({ metadata }: KubernetesObject, amounts: unknown): ReplicaDemand {
  const { namespace = '', name = '' } = metadata;
  const read = (field: string) => readNumber(amounts, [field]);
  const usdPerHour = read('usdPerHour');
  if (usdPerHour === undefined) return { namespace, replica: name, asked: nothing, wanted: undefined };
  const asked = { usdPerHour, accelerators: read('accelerators') ?? (usdPerHour > 0 ? anyNumber : 0) };
  const wanted = {
    usdPerHour: read('wantedUsdPerHour') ?? asked.usdPerHour,
    accelerators: read('wantedAccelerators') ?? asked.accelerators,
  };
  return { namespace, replica: name, asked, wanted: largest(asked, wanted) };
}

/** Reads the grants that a cluster published; a row that cannot be read is left out. */
export function readGrants(cluster: KubernetesObject): readonly Grant[] {
  return readList(cluster, ['status', 'ledger', 'grants']).flatMap((row) => {
    const [namespace, replica] = [readString(row, ['namespace']), readString(row, ['replica'])];
    const [usdPerHour, accelerators] = amountNames.map((name) => readNumber(row, [name]));
    const isWhole = isRecord(row) && namespace !== undefined && replica !== undefined;
    if (!isWhole || (usdPerHour === undefined && accelerators === undefined)) return [];
    return [{ namespace, replica, usdPerHour: usdPerHour ?? 0, accelerators: accelerators ?? 0 }];
  });
}

/**
 * Grants within the caps of each namespace, all that a replica wants or nothing more. An earlier grant is kept while it
 * is wanted: the replica may have asked in the meantime.
 *
 * @param demands oldest first
 * @param caps for all replicas of one namespace together
 */
export function grantShares(
  demands: readonly ReplicaDemand[],
  earlier: readonly Grant[],
  caps: Caps,
): readonly Grant[] {
  const before = Map.groupBy(earlier, ({ namespace }) => namespace);
  const grants = demands.map((demand) => ({
    ...demand,
    amounts: heldBy(demand, before.get(demand.namespace) ?? []),
  }));
  const sums = new Map<string, Amounts>();
  for (const { namespace, amounts } of grants) sums.set(namespace, add(sums.get(namespace) ?? nothing, amounts));
  for (const grant of grants) {
    const { namespace, wanted, amounts } = grant;
    if (wanted === undefined) continue;
    const sum = add(subtract(sums.get(namespace) ?? nothing, amounts), wanted);
    if (!areWithin(sum, caps)) continue;
    grant.amounts = wanted;
    sums.set(namespace, sum);
  }
  return grants.map(({ namespace, replica, amounts }) => ({ namespace, replica, ...amounts }));
}

/** What a replica may go on with: all that it has asked for, and what it was granted before as far as it still wants it. */
function heldBy({ replica, asked, wanted }: ReplicaDemand, earlier: readonly Grant[]): Amounts {
  const before = earlier.find((grant) => grant.replica === replica) ?? nothing;
  const stillWanted = (name: AmountName) => Math.min(before[name], wanted?.[name] ?? Infinity);
  return largest(asked, { usdPerHour: stillWanted('usdPerHour'), accelerators: stillWanted('accelerators') });
}

/** A grant as the ledger shows it: only what has a cap, and no number for one that cannot be known. */
export function describeGrant({ namespace, replica, ...amounts }: Grant, caps: Caps): Record<string, unknown> {
  const shown = amountNames.filter((name) => caps[name] !== undefined && amounts[name] < anyNumber);
  return { namespace, replica, ...Object.fromEntries(shown.map((name) => [name, amounts[name]])) };
}
