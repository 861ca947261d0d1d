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
import { sayUnknownName, unknownNamesOf } from '../explain/suggest-names.ts';
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
      report(titleOf(deployment), [deployment, ...(parts.get(deployment) ?? [])], { xrs, now }),
    ),
    ...others.map((xr) => report(`${xr.metadata.name ?? ''}  ${xr.kind}`, [xr], { xrs, now })),
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

/** All claims, and the time up to which durations count. */
interface Whole {
  readonly xrs: readonly KubernetesObject[];
  readonly now: Date;
}

function report(title: string, shown: readonly KubernetesObject[], { xrs, now }: Whole): ClaimReport {
  const rows = shown.flatMap((xr) => rowsOf(xr, now)).filter((row) => row.kind !== 'ModelReplica');
  const problems = shown.flatMap((xr) => [
    ...missingRoutes(xr, xrs),
    ...problemsOf(xr).map((problem) => `${xr.kind} ${xr.metadata.name ?? ''}: ${problem}`),
  ]);
  // A replica repeats what its deployment says.
  const inactive = shown.filter(({ kind }) => kind !== 'ModelReplica').flatMap(inactiveOf);
  const notes = [...problems, ...inactive, ...shown.flatMap(nextOf)];
  return { title, rows, notes, refused: problems.length > 0 };
}

/**
 * Routes to deployments that were not given. A live service waits for such a deployment, so its conditions refuse
 * nothing; here all that exists was given.
 */
function missingRoutes(xr: KubernetesObject, xrs: readonly KubernetesObject[]): readonly string[] {
  const routes = unknownNamesOf(xr, xrs).filter(({ field }) => field.startsWith('spec.routes['));
  return routes.map(sayUnknownName);
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
