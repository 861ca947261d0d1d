import { formatUsd } from '../../domain/units/usd.ts';
import { breakText } from '../render/print-table.ts';
import type { Change, Plan } from './plan.ts';

/** A plan as text: what goes on with each object, which pods restart, and what it costs. */
export function printPlan(plan: Plan, width: number): string {
  const sections = [
    section('CHANGES', changeRows(plan.changes), width),
    section('RESTARTS', plan.restarts.map(restartRow), width),
    section(
      'CAPACITY ASKED',
      plan.capacity.map(({ replica, asks }) => [replica, asks]),
      width,
    ),
    section(
      'STREAMS CUT',
      plan.streams.map(({ object, why }) => [object, why]),
      width,
    ),
    section(
      'PROBLEMS',
      plan.problems.map((problem) => ['!', problem]),
      width,
    ),
    totals(plan),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

const marks: Readonly<Record<Change['action'], string>> = {
  create: '+ create',
  update: '~ update',
  replace: '! replace',
  delete: '- delete',
  keep: '= keep',
};

/** Kinds that a person looks for, whatever becomes of them: what is scarce, and what runs on it. */
const shownKinds = ['Deployment', 'LeaderWorkerSet', 'ModelReplica', 'NodeGroup'];
/** What of every kind is told by name. */
const shownActions: readonly Change['action'][] = ['update', 'replace', 'delete'];

/** What changes first, then what is kept; small things that are made or kept are counted. */
function changeRows(changes: readonly Change[]): readonly (readonly string[])[] {
  const isShown = ({ action, kind }: Change) => shownActions.includes(action) || shownKinds.includes(kind);
  const rowsOf = (action: Change['action']) => {
    const own = changes.filter((change) => change.action === action);
    const rows = own.filter(isShown).map(({ kind, name, why }) => [marks[action], `${kind} ${name}`, why]);
    const folded = own.filter((change) => !isShown(change));
    return folded.length === 0 ? rows : [...rows, [marks[action], `${folded.length} more`, countKinds(folded)]];
  };
  return (['replace', 'delete', 'update', 'create', 'keep'] as const).flatMap(rowsOf);
}

function countKinds(changes: readonly Change[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of changes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => (count === 1 ? kind : `${count} ${kind}`)).join(', ');
}

function restartRow({ pod, order, downtimeMinutes }: Plan['restarts'][number]): readonly string[] {
  return [String(order), pod, `down for ${downtimeMinutes} min at most`];
}

function section(title: string, rows: readonly (readonly string[])[], width: number): string {
  if (rows.length === 0) return '';
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns - 1 }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [title, ...rows.flatMap((row) => printRow(row, widths, width))].join('\n');
}

function printRow(row: readonly string[], widths: readonly number[], width: number): readonly string[] {
  const left = widths.map((size, column) => `${(row[column] ?? '').padEnd(size)}  `).join('');
  const [first = '', ...rest] = breakText(row.at(-1) ?? '', Math.max(30, width - left.length - 2));
  return [`  ${left}${first}`.trimEnd(), ...rest.map((line) => `  ${' '.repeat(left.length)}${line}`)];
}

function totals({ changes, replaced, usdPerHour }: Plan): string {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  const counts = [
    `${count('create')} to create`,
    `${count('update')} to update`,
    `${replaced.length} to replace`,
    `${count('delete')} to delete`,
    `${count('keep')} kept`,
  ];
  const { before, after } = usdPerHour;
  const price = before === after ? formatUsd(after) : `${formatUsd(before)}, then ${formatUsd(after)}`;
  return `${counts.join(', ')}; ${price}\nCapacity, engines and gateways are assumed to do as they are asked`;
}
