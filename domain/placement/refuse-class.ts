import type { Cluster, HardwareClass } from '../hardware/hardware-class.ts';
import { MarketName } from '../hardware/reservation.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import { isLegalTensorSize } from '../shape/list-shapes.ts';
import { listSources, marketsOf } from './node-sources.ts';
import type { Refusal } from './refuse-candidate.ts';

export interface ClassQuestion {
  readonly facts: ModelFacts;
  readonly cluster: Cluster;
  /** How capacity may be bought; unset: on demand. */
  readonly markets?: readonly MarketName[] | undefined;
}

const allMarkets = MarketName.options;

/** Why a class, or a part of it, makes no candidate at all. */
export function refuseClass(question: ClassQuestion, hardwareClass: HardwareClass): readonly Refusal[] {
  return [
    ...missingSource(question, hardwareClass),
    ...unsoldMarkets(question, hardwareClass),
    ...missingReservations(question, hardwareClass),
    ...illegalSplits(question, hardwareClass),
  ];
}

/** The markets of the claim on which nodes of a class are not bought. */
function unsoldMarkets({ cluster, markets }: ClassQuestion, hardwareClass: HardwareClass): readonly Refusal[] {
  const { name, nodeTypes } = hardwareClass;
  if (cluster.eks === undefined || nodeTypes.length === 0) return [];
  const sold = marketsOf(hardwareClass);
  const unsold = (markets ?? ['OnDemand']).filter((market) => !sold.includes(market));
  return unsold.map((market) => ({
    class: name,
    reason: 'NotPlaceable',
    message: `spec.placement.markets allows ${market}, and InferenceClass "${name}" is bought ${sold.join(', ')}: change one of them (spec.eks.markets of the class)`,
  }));
}

/** Reservations of types that the class does not list, or none at all where it sells them. */
function missingReservations(
  { cluster, markets = [] }: ClassQuestion,
  hardwareClass: HardwareClass,
): readonly Refusal[] {
  const { name, nodeTypes, reservations = [] } = hardwareClass;
  if (cluster.eks === undefined || !markets.includes('Reservation')) return [];
  if (!marketsOf(hardwareClass).includes('Reservation')) return [];
  const refuse = (message: string): Refusal => ({ class: name, reason: 'NotPlaceable', message });
  if (reservations.length === 0)
    return [refuse(`InferenceClass "${name}" lists no reservation: state one under its spec.eks.reservations`)];
  return reservations
    .filter(({ instanceType }) => !nodeTypes.some((type) => type.instanceType === instanceType))
    .map(({ id, instanceType }) =>
      refuse(
        `Reservation ${id} is of ${instanceType}, which InferenceClass "${name}" does not list: add it to its spec.eks.nodeTypes`,
      ),
    );
}

/** A class of which the cluster has no node at all. */
function missingSource({ cluster }: ClassQuestion, hardwareClass: HardwareClass): readonly Refusal[] {
  if (listSources(cluster, hardwareClass, allMarkets).length > 0) return [];
  const { name } = hardwareClass;
  const onEks =
    cluster.eks === undefined || hardwareClass.nodeTypes.length > 0
      ? ''
      : `, or state spec.eks of InferenceClass "${name}"`;
  const message = `InferenceCluster "${cluster.name}" has no nodes of class "${name}": list a pool of it under spec.pools${onEks}`;
  return [{ class: name, reason: 'NotPlaceable', message }];
}

/** The numbers of accelerators on a node over which the model cannot be split, or nobody knows whether it can. */
function illegalSplits({ facts, cluster }: ClassQuestion, hardwareClass: HardwareClass): readonly Refusal[] {
  const types = listSources(cluster, hardwareClass, allMarkets).flatMap(({ nodeTypes }) => nodeTypes);
  const counts = [...new Set(types.map((type) => type.accelerators))].sort((left, right) => left - right);
  const isUnknown = facts.attentionHeads === undefined;
  return counts
    .filter((count) => !isLegalTensorSize(facts, count))
    .map((count) => ({
      class: hardwareClass.name,
      shape: `${count} x ${hardwareClass.accelerator.name}`,
      reason: isUnknown ? 'Unsupported' : 'NotPlaceable',
      message: isUnknown
        ? 'Cannot say whether the model can be split: unknown spec.model.facts.attentionHeads; state it in the claim'
        : `${count} accelerators do not divide the ${facts.attentionHeads} attention heads of the model; add a node type with another number`,
    }));
}
