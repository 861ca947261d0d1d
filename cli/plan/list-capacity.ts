import { annotation } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readNumber, readString } from '../../domain/kubernetes/object.ts';
import { formatUsd, sumUsd } from '../../domain/units/usd.ts';
import { compareText, identityOf, type World } from '../crossplane/world.ts';
import type { CapacityAsk, Plan } from './plan.ts';
import { sizeOf } from './react/node-groups.ts';

/** Dollars per hour of everything that the replicas of a world ask for. */
function usdOf(world: World): number {
  return sumUsd(replicasOf(world).map((replica) => readNumber(replica, ['status', 'usdPerHour']) ?? 0));
}

/** What is asked for now and in the end, in dollars per hour. */
export function compareUsd(before: World, after: World): Plan['usdPerHour'] {
  return { before: usdOf(before), after: usdOf(after) };
}

function replicasOf(world: World): readonly KubernetesObject[] {
  return [...world.values()].filter(({ kind }) => kind === 'ModelReplica');
}

/** The nodes and the accelerators of existing pools that are asked for beside what is asked for now. */
export function listCapacity(before: World, after: World): readonly CapacityAsk[] {
  const asks = [...groupAsks(before, after), ...replicasOf(after).flatMap((replica) => poolAsks(before, replica))];
  return asks.sort((left, right) => compareText(`${left.replica} ${left.asks}`, `${right.replica} ${right.asks}`));
}

function groupAsks(before: World, after: World): readonly CapacityAsk[] {
  const groups = [...after.values()].filter(({ kind }) => kind === 'NodeGroup');
  return groups.flatMap((group) => {
    const more = sizeOf(group) - sizeOf(before.get(identityOf(group)));
    if (more <= 0) return [];
    const types = readList(group, ['spec', 'forProvider', 'instanceTypes']).join(', ');
    const price = Number(group.metadata.annotations?.[annotation.usdPerHour]);
    const cost = Number.isFinite(price) && price > 0 ? `, ${formatUsd(price)} for the whole rung` : '';
    const owner = group.metadata.ownerReferences?.[0]?.name ?? '';
    return { replica: owner, asks: `${more} node of NodeGroup "${group.metadata.name ?? ''}" (${types}${cost})` };
  });
}

function poolAsks(before: World, replica: KubernetesObject): readonly CapacityAsk[] {
  const former = before.get(identityOf(replica));
  const known = readList(former, ['status', 'pools']).map(describePool);
  const wanted = readList(replica, ['status', 'pools']).map(describePool);
  return wanted.filter((asks) => !known.includes(asks)).map((asks) => ({ replica: replica.metadata.name ?? '', asks }));
}

function describePool(ask: unknown): string {
  const { nodes, acceleratorsPerNode } = isRecord(ask) ? ask : {};
  return `${String(acceleratorsPerNode)} accelerators on ${String(nodes)} node of pool "${readString(ask, ['pool']) ?? ''}"`;
}
