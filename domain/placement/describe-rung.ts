import type { Subnet } from '../hardware/hardware-class.ts';
import { annotation } from '../kubernetes/label.ts';
import { type KubernetesObject, readList, readString } from '../kubernetes/object.ts';
import { formatUsd } from '../units/usd.ts';
import { readRungName } from './candidate.ts';
import type { Climb, NextRung } from './climb-ladder.ts';
import { nodeGroupLabel, zoneLabel } from './node.ts';
import { describeEvidence } from './pools/pool-condition.ts';
import { joinedNodes, type RungView } from './rung.ts';

/** What a node group asks for and what came of it: `g6.xlarge, g6.2xlarge on-demand, 3 zones; 0 of 1 node joined`. */
export function describeGroup(object: KubernetesObject, subnets: readonly Subnet[], joined: number): string {
  const listed = readList(object, ['spec', 'forProvider', 'instanceTypes']);
  const types =
    listed.length === 0 ? (object.metadata.annotations?.[annotation.instanceType] ?? '') : listed.join(', ');
  const zones = countZones(object, subnets);
  const places = zones === 1 ? '1 zone' : `${zones} zones`;
  return `${types} ${bought(object)}, ${places}; ${joined} of 1 node joined`;
}

/** How the nodes of a group are bought, for people. */
function bought(object: KubernetesObject): string {
  const rung = object.metadata.annotations?.[annotation.rung] ?? '';
  if (readRungName(rung).market === 'Reservation') return 'reserved';
  const type = readString(object, ['spec', 'forProvider', 'capacityType']);
  return type === 'SPOT' ? 'spot' : 'on-demand';
}

/** Zones of the group itself: the cluster may list other subnets since. One that it lists no more counts for itself. */
function countZones(object: KubernetesObject, subnets: readonly Subnet[]): number {
  const ids = readList(object, ['spec', 'forProvider', 'subnetIds']);
  return new Set(ids.map((id) => subnets.find((subnet) => subnet.id === id)?.zone ?? id)).size;
}

/** One rung as the status shows it. */
export function describeRung(decision: Climb['decisions'][number]): Record<string, unknown> {
  const { rung, state } = decision;
  const asked = rung.groups.map((group) => group.askedAt).find((moment) => moment !== undefined);
  const statuses = [
    ...new Set(rung.groups.map((group) => group.providerStatus).filter((status) => status !== undefined)),
  ].sort();
  return {
    rung: rung.name,
    state,
    ...(rung.isUnpriced === true ? {} : { usdPerHour: rung.usdPerHour }),
    nodes: `${joinedNodes(rung)} of ${rung.nodes}`,
    ...(asked === undefined ? {} : { askedAt: asked }),
    ...evidenceOf(rung, statuses),
  };
}

function evidenceOf(rung: RungView, statuses: readonly string[]): { readonly evidence?: string } {
  if (rung.pool !== undefined) return { evidence: describeEvidence(rung, rung.pool) };
  return statuses.length === 0 ? {} : { evidence: `provider says ${statuses.join(', ')}` };
}

/** Where the rung that has nodes is: its class, and the zones of its nodes by their labels; no zone where none says it. */
export function describeWhere(
  { name, groups }: RungView,
  nodes: readonly KubernetesObject[],
): { readonly class: string; readonly zone?: string } {
  const groupNames = new Set(groups.map((group) => group.name));
  const own = nodes.filter(({ metadata }) => groupNames.has(metadata.labels?.[nodeGroupLabel] ?? metadata.name ?? ''));
  const zones = own.map(({ metadata }) => metadata.labels?.[zoneLabel]).filter((zone) => zone !== undefined);
  const zone = [...new Set(zones)].sort().join(', ');
  return { class: name.split('/')[0] ?? name, ...(zone === '' ? {} : { zone }) };
}

/** What tells a rung from one of the same types: the spot market, and its one zone. */
function whereAsked({ name }: RungView): string {
  const { market, within } = readRungName(name);
  if (market === 'Existing') return '';
  return `${market === 'Spot' ? ' on spot' : ''}${within === undefined ? '' : ` in ${within}`}`;
}

export interface NextQuestion {
  readonly next: NextRung;
  /** Instance types that the next rung would ask for. */
  readonly instanceTypes: readonly string[];
  readonly askedRungs: number;
  /** Share of the budget in dollars per hour; undefined means no bound. */
  readonly budget: number | undefined;
}

/** What happens next if no node joins, with what it would cost. */
export function describeNext({ next, instanceTypes, askedRungs, budget }: NextQuestion): string {
  const types = instanceTypes.length === 0 ? next.rung.name : `${instanceTypes.join(', ')}${whereAsked(next.rung)}`;
  const price = next.rung.isUnpriced === true ? 'price unknown' : formatUsd(next.rung.usdPerHour);
  const within = budget === undefined ? '' : `, within the budget of ${budget.toFixed(2)}`;
  if (askedRungs === 0) return `ask ${types} (${price}${within})`;
  const all = askedRungs === 1 ? 'both' : 'all';
  return `at ${next.afterMinutes} min without a node, ask ${types} beside it (${price}; ${all} ${next.totalUsdPerHour.toFixed(2)}${within})`;
}
