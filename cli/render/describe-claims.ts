import { label } from '../../domain/kubernetes/label.ts';
import {
  isRecord,
  type KubernetesObject,
  readList,
  readNumber,
  readPath,
  readString,
} from '../../domain/kubernetes/object.ts';
import { boundedName } from '../../domain/kubernetes/resource-name.ts';
import { mayRouteTo } from '../../domain/rollout/read-replica.ts';
import { formatUsd } from '../../domain/units/usd.ts';
import { inactiveOf, nextOf, problemsOf, type Row, rowsOf } from './describe-xr.ts';

/** One claim or platform object with what became of it and of everything composed for it. */
export interface ClaimReport {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
  /** The claim was refused, or something that it names is missing. */
  readonly refused: boolean;
}

/** What a person asks first: each deployment with its replicas and services, each gateway, and whatever is in trouble. */
export function describeClaims(xrs: readonly KubernetesObject[], now: Date): readonly ClaimReport[] {
  const deployments = xrs.filter((xr) => xr.kind === 'ModelDeployment');
  const parts = new Map(deployments.map((deployment) => [deployment, partsOf(deployment, xrs)]));
  const shown = new Set([...parts.values()].flat());
  const others = xrs.filter((xr) => !parts.has(xr) && !shown.has(xr));
  const reports = [
    ...deployments.map((deployment) =>
      report(titleOf(deployment), [deployment, ...(parts.get(deployment) ?? [])], now),
    ),
    ...others.map((xr) => report(`${xr.metadata.name ?? ''}  ${xr.kind}`, [xr], now)),
  ];
  return reports.filter(({ rows, notes }) => rows.length > 0 || notes.length > 0);
}

/** The replicas of a deployment and the services that route to it. */
function partsOf(deployment: KubernetesObject, xrs: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const { name = '', namespace } = deployment.metadata;
  const here = xrs.filter((xr) => xr.metadata.namespace === namespace);
  const replicas = here.filter(
    (xr) => xr.kind === 'ModelReplica' && xr.metadata.labels?.[label.deployment] === boundedName(name),
  );
  return [...replicas, ...here.filter((xr) => xr.kind === 'ModelService' && mayRouteTo(xr, name))];
}

function report(title: string, xrs: readonly KubernetesObject[], now: Date): ClaimReport {
  const rows = xrs.flatMap((xr) => rowsOf(xr, now)).filter((row) => row.kind !== 'ModelReplica');
  const problems = xrs.flatMap((xr) =>
    problemsOf(xr).map((problem) => `${xr.kind} ${xr.metadata.name ?? ''}: ${problem}`),
  );
  // A replica repeats what its deployment says.
  const inactive = xrs.filter(({ kind }) => kind !== 'ModelReplica').flatMap(inactiveOf);
  const notes = [...problems, ...inactive, ...xrs.flatMap(nextOf)];
  return { title, rows, notes, refused: problems.length > 0 };
}

function titleOf(deployment: KubernetesObject): string {
  const model = (readString(deployment, ['spec', 'model', 'name']) ?? '').split('/').at(-1) ?? '';
  const shape = readString(deployment, ['status', 'model', 'shape']);
  const name = `${deployment.metadata.name ?? ''}  ${model}${shape === undefined ? '' : ` on ${shape}`}`;
  return [name, describeFit(deployment), describePrice(deployment)].filter((part) => part !== '').join('   ');
}

function describeFit(deployment: KubernetesObject): string {
  const fit = readPath(deployment, ['status', 'fit']);
  if (readString(fit, ['verdict']) !== 'Fit') return '';
  const terms = readList(fit, ['terms']).filter(isRecord);
  const gibOf = (name: string) =>
    readNumber(
      terms.find((term) => term.name === name),
      ['gib'],
    ) ?? 0;
  const other = gibOf('requested') - gibOf('weights') - gibOf('kvCache');
  const parts = `weights ${gibOf('weights').toFixed(1)} + KV ${gibOf('kvCache').toFixed(1)} + other ${other.toFixed(1)}`;
  const tokens = Math.floor((readNumber(fit, ['kvTokens']) ?? 0) / 1000);
  const context = Math.round((readNumber(fit, ['contextTokens']) ?? 0) / 1024);
  const concurrency = (readNumber(fit, ['concurrency']) ?? 0).toFixed(1);
  const verdict = readPath(fit, ['tight']) === true ? 'Fits, tight' : 'Fit';
  return `${verdict}: ${parts} of ${gibOf('visible').toFixed(1)} GiB; ${tokens}k tokens, ${concurrency}x at ${context}k`;
}

function describePrice(deployment: KubernetesObject): string {
  const price = readNumber(deployment, ['status', 'usdPerHour']);
  const day = readString(deployment, ['status', 'model', 'priceReadOn']);
  if (price === undefined) return '';
  return `${formatUsd(price)}${day === undefined ? '' : ` (${day})`}`;
}
