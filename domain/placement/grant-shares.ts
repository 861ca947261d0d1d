/**
 * What each replica of a capped namespace may spend, decided in one place: the ledger of the cluster. A replica says
 * what it wants, the ledger grants, and only then the replica asks, so that two replicas cannot both take the same room.
 * What was asked for is never taken back (S1); beyond that the oldest replica is served first, and one that is too
 * large leaves the room to those after it.
 * Refused: letting each replica subtract what the others spend. Two that look at the same moment would both ask.
 */
import { isRecord, type KubernetesObject, readList, readNumber, readString } from '../kubernetes/object.ts';
import { roundUsd, type UsdPerHour } from '../units/usd.ts';
import { ageOf } from './replica-age.ts';

/** What one replica spends and would spend. */
export interface ReplicaDemand {
  readonly namespace: string;
  readonly replica: string;
  /** Price of everything that it has asked for. */
  readonly asked: UsdPerHour;
  /** The same with what it would ask for next; undefined while its status says neither, which is not the same as none. */
  readonly wanted: UsdPerHour | undefined;
}

/** What one replica may spend. */
export interface Grant {
  readonly namespace: string;
  readonly replica: string;
  readonly usdPerHour: UsdPerHour;
}

/** The demands of the replicas on a cluster, oldest first. */
export function listDemands(replicas: readonly KubernetesObject[], cluster: string): readonly ReplicaDemand[] {
  return replicas
    .filter((replica) => readString(replica, ['spec', 'clusterName']) === cluster)
    .map((replica) => ({ age: ageOf(replica), demand: toDemand(replica) }))
    .sort((left, right) => (left.age < right.age ? -1 : 1))
    .map(({ demand }) => demand);
}

function toDemand(replica: KubernetesObject): ReplicaDemand {
  const asked = readNumber(replica, ['status', 'usdPerHour']);
  const wanted = readNumber(replica, ['status', 'wantedUsdPerHour']) ?? asked;
  const { namespace = '', name = '' } = replica.metadata;
  const isUnknown = asked === undefined || wanted === undefined;
  return { namespace, replica: name, asked: asked ?? 0, wanted: isUnknown ? undefined : Math.max(asked, wanted) };
}

/** Reads the grants that a cluster published; a row that cannot be read is left out. */
export function readGrants(cluster: KubernetesObject): readonly Grant[] {
  return readList(cluster, ['status', 'ledger', 'grants']).flatMap((row) => {
    const [namespace, replica] = [readString(row, ['namespace']), readString(row, ['replica'])];
    const usdPerHour = readNumber(row, ['usdPerHour']);
    const isWhole = isRecord(row) && namespace !== undefined && replica !== undefined && usdPerHour !== undefined;
    return isWhole ? [{ namespace, replica, usdPerHour }] : [];
  });
}

/**
 * Grants within the cap of each namespace. An earlier grant is kept while it is wanted: the replica may have asked in
 * the meantime.
 *
 * @param demands oldest first
 * @param cap dollars per hour for all replicas of one namespace together
 */
export function grantShares(
  demands: readonly ReplicaDemand[],
  earlier: readonly Grant[],
  cap: UsdPerHour,
): readonly Grant[] {
  const before = Map.groupBy(earlier, ({ namespace }) => namespace);
  const grants = demands.map((demand) => ({
    ...demand,
    usdPerHour: heldBy(demand, before.get(demand.namespace) ?? []),
  }));
  const sums = new Map<string, UsdPerHour>();
  for (const { namespace, usdPerHour } of grants) sums.set(namespace, (sums.get(namespace) ?? 0) + usdPerHour);
  for (const grant of grants) {
    const { namespace, wanted, usdPerHour } = grant;
    if (wanted === undefined) continue;
    const sum = roundUsd((sums.get(namespace) ?? 0) - usdPerHour + wanted);
    if (sum > cap) continue;
    grant.usdPerHour = wanted;
    sums.set(namespace, sum);
  }
  return grants.map(({ namespace, replica, usdPerHour }) => ({ namespace, replica, usdPerHour }));
}

/** What a replica may go on with: all that it has asked for, and what it was granted before as far as it still wants it. */
function heldBy({ replica, asked, wanted }: ReplicaDemand, earlier: readonly Grant[]): UsdPerHour {
  const before = earlier.find((grant) => grant.replica === replica)?.usdPerHour ?? 0;
  return Math.max(asked, Math.min(before, wanted ?? Infinity));
}
