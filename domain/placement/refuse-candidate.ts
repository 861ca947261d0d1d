import { explainBroken } from '../fit/compatibility/find-compatibility.ts';
import { type EngineImage, explainUnknownFlag } from '../fit/engines/known-flags.ts';
import { explainBeside } from '../fit/explain-misfit.ts';
import { replaceAt } from '../hardware/reservation.ts';
import type { Reason } from '../kubernetes/condition.ts';
import { features } from '../kubernetes/feature.ts';
import { acceleratorCount } from '../shape/shape.ts';
import { inGib } from '../units/bytes.ts';
import { millisBetween } from '../units/duration.ts';
import { formatUsd, type UsdPerHour } from '../units/usd.ts';
import { type Candidate, describePlace } from './candidate.ts';
import { needsLaunchTemplate } from './launch-template.ts';
import { explainCaps, type NamespaceShares } from './namespace-share.ts';

/** A rule that turned a candidate down, and how to change that. */
export interface Refusal {
  readonly class: string;
  readonly shape?: string;
  readonly reason: Extract<
    Reason,
    'Misfit' | 'Unsupported' | 'OverBudget' | 'NotPlaceable' | 'ClassMissing' | 'GuardrailRefused' | 'ReservationEnds'
  >;
  readonly message: string;
}

export interface Budget {
  /** Upper bound for one replica in dollars per hour; undefined means none was set. */
  readonly usdPerHour?: UsdPerHour;
}

/** What the platform team sets for a claim. */
export interface Guard {
  /** The guardrails that the claim breaks, each as a sentence. */
  readonly breaches: readonly string[];
  readonly shares?: NamespaceShares | undefined;
  /** Where the nodes of a gang may lie; unset: in any zones. */
  readonly zones?: 'Any' | 'Same' | undefined;
  /** The engine that is asked for; unset: any will do. */
  readonly engine?: EngineImage | undefined;
  readonly now?: Date | undefined;
  readonly lacksTemplates?: boolean | undefined;
}

/** Every reason against a candidate; none when it can be asked for. */
export function refuseCandidate(candidate: Candidate, budget: Budget, guard: Guard): readonly Refusal[] {
  const refusals = [
    ...refuseByGuard(candidate, guard),
    refuseByCluster(candidate),
    refuseByZones(candidate, guard),
    refuseByTemplates(candidate, guard),
    ...refuseByReservation(candidate, guard),
    refuseByEngine(candidate),
    refuseByGang(candidate, guard),
    refuseByMemory(candidate),
    refuseByPrice(candidate, budget),
  ];
  return refusals.filter((refusal): refusal is Refusal => refusal !== undefined);
}

function refuseByGuard(candidate: Candidate, { breaches, shares }: Guard): readonly Refusal[] {
  const { class: name, shape } = subject(candidate);
  const amounts = { usdPerHour: candidate.usdPerHour, accelerators: acceleratorCount(candidate.shape) };
  const owners = shares === undefined ? [] : [shares, shares.byClass?.[name] ?? {}];
  const beyond = owners.flatMap((owner) => explainCaps(`${name} (${shape})`, amounts, owner));
  const messages = [...breaches, ...beyond];
  return messages.map((message) => ({ class: name, shape, reason: 'GuardrailRefused', message }));
}

/** A combination of checkpoint, engine and accelerator that is known not to load (L5). */
function refuseByEngine(candidate: Candidate): Refusal | undefined {
  const { verdict } = candidate;
  const message = verdict.verdict === 'Unsupported' ? undefined : explainBroken(verdict.compatibility);
  return message === undefined ? undefined : { ...subject(candidate), reason: 'NotPlaceable', message };
}

/** An engine of before gangs: each of its nodes would end at once over a flag that it does not know. */
function refuseByGang(candidate: Candidate, { engine }: Guard): Refusal | undefined {
  if (engine === undefined || candidate.shape.nodes === 1) return undefined;
  const unknown = explainUnknownFlag(engine, '--nnodes');
  if (unknown === undefined) return undefined;
  const message = `A gang needs a flag that the engine does not know: ${unknown}: set spec.engine.image to a release that has it, or allow a shape of one node`;
  return { ...subject(candidate), reason: 'NotPlaceable', message };
}

function refuseByCluster(candidate: Candidate): Refusal | undefined {
  if (candidate.shape.nodes === 1 || candidate.cluster.hasLeaderWorkerSet === true) return undefined;
  const message = `Cluster "${candidate.cluster.name}" cannot run a gang of nodes: install ${features.LeaderWorkerSet.install}`;
  return { ...subject(candidate), reason: 'NotPlaceable', message };
}

/** The ledger grants nodes of a pool by what is free on them, wherever they are. */
function refuseByZones(candidate: Candidate, { zones }: Guard): Refusal | undefined {
  const { shape, pool } = candidate;
  if (zones !== 'Same' || shape.nodes === 1 || pool === undefined) return undefined;
  const message = `Nodes of pool "${pool.name}" are granted in any zone, and spec.placement.zones is "Same": set it to "Any", or allow a shape of one node`;
  return { ...subject(candidate), reason: 'NotPlaceable', message };
}

/** An absent kind would abort the whole pass (S8). */
function refuseByTemplates(candidate: Candidate, { lacksTemplates }: Guard): Refusal | undefined {
  if (lacksTemplates !== true || !needsLaunchTemplate(candidate)) return undefined;
  const message =
    'The control plane has no LaunchTemplate of EC2: install provider-aws-ec2 2.4 or newer, with LaunchTemplate activated';
  return { ...subject(candidate), reason: 'NotPlaceable', message };
}

/** What a reservation cannot hold: another zone than its own, more nodes than it has, or anything near its end (L15). */
function refuseByReservation(candidate: Candidate, { now }: Guard): readonly Refusal[] {
  const { reservation, shape, cluster } = candidate;
  if (reservation === undefined) return [];
  const { id, zone, count, endsAt } = reservation;
  const refuse = (reason: Refusal['reason'], message: string): Refusal => ({ ...subject(candidate), reason, message });
  const zones = (cluster.eks?.subnets ?? []).map((subnet) => subnet.zone);
  const from = replaceAt(reservation);
  const isEnding = from !== undefined && now !== undefined && millisBetween(from, now) >= 0;
  return [
    ...(zones.includes(zone)
      ? []
      : [
          refuse(
            'NotPlaceable',
            `Reservation ${id} is in ${zone}, and InferenceCluster "${cluster.name}" has no subnet there: add one to spec.eks.subnets`,
          ),
        ]),
    ...(shape.nodes <= count
      ? []
      : [
          refuse(
            'NotPlaceable',
            `Reservation ${id} has ${count} of the ${shape.nodes} instances: reserve more, or allow another market`,
          ),
        ]),
    ...(isEnding
      ? [
          refuse(
            'ReservationEnds',
            `Reservation ${id} ends at ${endsAt} and is not asked for after ${from}: extend it and correct endsAt, or allow another market`,
          ),
        ]
      : []),
  ];
}

function refuseByMemory(candidate: Candidate): Refusal | undefined {
  const { verdict } = candidate;
  if (verdict.verdict === 'Fit') return undefined;
  if (verdict.verdict === 'Unsupported') {
    const message = `Cannot say whether the model fits: unknown ${verdict.missing.join(', ')}; state it in the claim`;
    return { ...subject(candidate), reason: 'Unsupported', message };
  }
  const beside = explainBeside(verdict);
  if (beside !== undefined) return { ...subject(candidate), reason: 'Misfit', message: beside };
  const change =
    verdict.fittingContextTokens === undefined
      ? 'allow a class with larger accelerators'
      : `set spec.load.contextTokens to at most ${verdict.fittingContextTokens}, or allow a class with larger accelerators`;
  const message = `Each ${candidate.hardwareClass.accelerator.name} is short by ${inGib(verdict.shortfall)} GiB; ${change}`;
  return { ...subject(candidate), reason: 'Misfit', message };
}

function refuseByPrice(candidate: Candidate, budget: Budget): Refusal | undefined {
  if (budget.usdPerHour === undefined) return undefined;
  const { usdPerHour } = candidate;
  if (usdPerHour === undefined) {
    const message = `The price of class "${candidate.hardwareClass.name}" is unknown, so a budget cannot be kept; set ${priceFields(candidate)}`;
    return { ...subject(candidate), reason: 'OverBudget', message };
  }
  if (usdPerHour <= budget.usdPerHour) return undefined;
  const message = `It costs ${formatUsd(usdPerHour)} and the share of one replica is ${formatUsd(budget.usdPerHour)}; raise spec.budget.usdPerHour or allow a cheaper class`;
  return { ...subject(candidate), reason: 'OverBudget', message };
}

function priceFields({ pool, market }: Candidate): string {
  if (pool !== undefined) return `node.usdPerHour of pool "${pool.name}"`;
  return `${market === 'Spot' ? 'spotUsdPerHour' : 'usdPerHour'} of its node types`;
}

function subject(candidate: Candidate): { class: string; shape: string } {
  return { class: candidate.hardwareClass.name, shape: describePlace(candidate) };
}
