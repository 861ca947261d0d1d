import { formatUsd } from '../../domain/units/usd.ts';
import type { AllowedCandidate, ExplainedCandidates } from './explain-candidates.ts';
import type { ExplainedLadder } from './explain-ladder.ts';
import type { ExplainedPrice, PriceRange } from './explain-price.ts';
import type { ExplainedDeployment, Problem } from './explain-world.ts';
import { item, paragraph, section, table } from './layout.ts';
import type { ListedFlags } from './list-flags.ts';
import { printLoad } from './print-load.ts';
import { printMemory } from './print-memory.ts';
import { printProblems } from './print-problems.ts';

/** One deployment as lines of text. */
export function printDeployment(deployment: ExplainedDeployment, width: number): readonly string[] {
  const { candidates, memory, price, load, engine, unknown } = deployment;
  const problems = problemsBeside(deployment);
  return [
    ...paragraph(titleOf(deployment), width),
    ...printProblems(problems, width),
    ...(candidates === undefined ? [] : [...printChoice(candidates, width), ...printOthers(candidates, width)]),
    ...(memory === undefined ? [] : printMemory(memory, width)),
    ...(price === undefined ? [] : printPrice(price, width)),
    ...(load === undefined ? [] : printLoad(load, width)),
    ...deployment.ladders.flatMap((ladder) => printLadder(ladder, width)),
    ...(engine === undefined ? [] : printFlags(engine, width)),
    ...section(
      'Unknown',
      unknown.flatMap((sentence) => item(sentence, width)),
    ),
  ];
}

/** Without those that only sum up the refused candidates, which follow one by one. */
function problemsBeside({ problems, candidates }: ExplainedDeployment): readonly Problem[] {
  if (candidates === undefined || candidates.chosen !== undefined || candidates.refused.length === 0) return problems;
  return problems.filter(({ condition }) => !/^(Fits|Placed)=/.test(condition));
}

function printChoice({ held, why, chosen, refused }: ExplainedCandidates, width: number): readonly string[] {
  if (chosen === undefined && refused.length > 0) return ['', 'No shape: every candidate is refused'];
  const sentences = held ? ['Nothing is decided while something is missing; of what exists:', ...why] : why;
  return section(
    'Why this shape',
    sentences.flatMap((sentence) => item(sentence, width)),
  );
}

function titleOf({ namespace, name, model, engineImage, candidates }: ExplainedDeployment): string {
  const chosen = candidates?.chosen;
  const where =
    chosen === undefined ? 'no shape' : `${chosen.shape} of class "${chosen.class}" on cluster "${chosen.cluster}"`;
  return `ModelDeployment ${namespace}/${name}  ${model} on ${where}, engine ${engineImage}`;
}

function printOthers({ others, refused, unlisted, chosen }: ExplainedCandidates, width: number): readonly string[] {
  const lines = [
    ...(chosen === undefined ? [] : leftOutOf(chosen)).flatMap((sentence) => item(sentence, width)),
    ...others.flatMap((candidate) => item(sayAllowed(candidate), width)),
    ...refused.flatMap(({ reason, message, where }) => item(`${where.join(', ')}: ${reason}: ${message}`, width)),
    ...unlisted.flatMap((name) => item(`${name}: not considered: spec.placement.classes does not list it`, width)),
  ];
  return section(chosen === undefined ? 'Why not' : 'Why not the others', lines);
}

function sayAllowed(candidate: AllowedCandidate): string {
  const { class: name, shape, cluster, place, usdPerHour, concurrency = 0, tight } = candidate;
  const price = usdPerHour === undefined ? 'price unknown' : formatUsd(usdPerHour.dearest);
  const fit = `${tight ? 'fits, tight' : 'fits'}, ${concurrency.toFixed(1)} requests at once`;
  const cut = leftOutOf(candidate).map((sentence) => `; ${sentence}`);
  return `${name} (${shape}) on ${cluster}: ${place}; ${fit}; ${price}${cut.join('')}`;
}

function leftOutOf({ class: name, leftOut }: AllowedCandidate): readonly string[] {
  if (leftOut.length === 0) return [];
  return [`${leftOut.join(', ')} of ${name}: left out: its price alone breaks the share of one replica`];
}

function printPrice(price: ExplainedPrice, width: number): readonly string[] {
  const { market, readOn, replicas, shape = '', oneReplica, allReplicas, asked, budget, left } = price;
  const read = readOn === undefined ? 'day of reading unknown' : `read ${readOn}`;
  const lines = [
    oneReplica === undefined
      ? 'No price: nothing fits, or a price is unknown'
      : `One replica, ${shape}: ${sayRange(oneReplica)}`,
    ...(allReplicas === undefined || replicas === 1 ? [] : [`All ${replicas} replicas: ${sayRange(allReplicas)}`]),
    `Asked for now: ${formatUsd(asked)}, each rung at its dearest type`,
    budget === undefined
      ? 'No budget: set spec.budget.usdPerHour to bound what is asked for'
      : `Budget: ${formatUsd(budget)}, of which ${formatUsd(left ?? 0)} is left`,
  ];
  return section(
    `Price, ${market}, ${read}`,
    lines.flatMap((line) => item(line, width)),
  );
}

function sayRange({ cheapest, dearest }: PriceRange): string {
  return cheapest === dearest
    ? formatUsd(cheapest)
    : `${formatUsd(cheapest)} on the cheapest node type, ${formatUsd(dearest)} on the dearest`;
}

function printLadder(ladder: ExplainedLadder, width: number): readonly string[] {
  const rows = ladder.rungs.map(({ rung, state, nodes, usdPerHour, askedAt, evidence }) => [
    rung,
    state,
    `${nodes} nodes`,
    usdPerHour === undefined ? '' : formatUsd(usdPerHour),
    [askedAt === undefined ? '' : `asked ${askedAt}`, evidence ?? ''].filter((part) => part !== '').join(', '),
  ]);
  const due = ladder.nextAt === undefined ? '' : ` That is ${ladder.nextAt}, in ${ladder.nextInMinutes} min`;
  return section(`Ladder of replica ${ladder.replica} on cluster "${ladder.cluster}"`, [
    ...table(rows, width),
    ...item(`Next: ${ladder.next}${due === '' ? '' : `.${due}`}`, width),
  ]);
}

function printFlags({ renderedFor, flags }: ListedFlags, width: number): readonly string[] {
  const state = renderedFor === undefined ? 'not rendered yet' : `as rendered for ${renderedFor}`;
  const rows = flags.flatMap(({ flag, value, setBy, reason }) =>
    item(`${value === '' ? flag : `${flag}=${value}`}  ${setBy}: ${reason}`, width),
  );
  return section(`Engine flags, ${state}`, rows);
}
