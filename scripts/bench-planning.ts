/**
 * `npm run bench:planning`: what deciding costs, without the wire: the ladder of every replica from its observed groups
 * (candidates, fit, rungs, climb), and the ledger of the cluster over all replicas and existing pools. One process plans
 * for a whole fleet here; in life each replica is a call of its own.
 */
import { measurePlanning, planningSizes } from './bench-planning/measure-planning.ts';

const rows = planningSizes.map(measurePlanning);
console.log('POOLS  REPLICAS  LADDERS MS  LEDGER MS  ALL MS  MS PER 100 POOLS');
for (const { pools, replicas, laddersMs, ledgerMs } of rows) {
  const all = laddersMs + ledgerMs;
  const cells = [laddersMs, ledgerMs, all, (100 * all) / pools].map((ms) => ms.toFixed(2));
  const widths = [10, 9, 6, 16];
  const shown = cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('  ');
  console.log(`${String(pools).padStart(5)}  ${String(replicas).padStart(8)}  ${shown}`);
}
