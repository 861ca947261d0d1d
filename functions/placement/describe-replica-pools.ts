import type { RungDecision } from '../../domain/placement/climb-ladder.ts';
import type { SharedClimb } from '../../domain/placement/climb-within-share.ts';
import { listPoolAsks } from '../../domain/placement/pools/list-pool-asks.ts';
import { describeEvidence } from '../../domain/placement/pools/pool-condition.ts';
import type { ResourceRow } from '../compose.ts';
import type { ReplicaSurroundings } from './read-replica.ts';

/** What a replica asks of existing pools, for the ledger to read, and a row for each that it asks or holds. */
export function describeReplicaPools(
  { pools }: ReplicaSurroundings,
  { bounded, climb }: SharedClimb,
  replica: string,
): { readonly status: Readonly<Record<string, unknown>>; readonly rows: readonly ResourceRow[] } {
  if (pools === undefined) return { status: {}, rows: [] };
  const asks = listPoolAsks(bounded, climb);
  const asked = climb.decisions.filter(({ rung }) => asks.some((ask) => ask.pool === rung.pool?.name));
  return { status: { pools: asks }, rows: asked.flatMap((decision) => toRow(decision, replica)) };
}

function toRow({ rung, state }: RungDecision, name: string): readonly ResourceRow[] {
  const { pool } = rung;
  if (pool === undefined) return [];
  const isGranted = pool.room === 'Granted' && state !== 'Free';
  const why = `pool ${pool.name}: ${describeEvidence(rung, pool)}`;
  return [{ name, kind: 'Pool', state: isGranted ? state : 'Waiting', why }];
}
