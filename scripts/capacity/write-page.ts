import { rowsOf, sayWins } from '../../cli/simulate/print-report.ts';
import type { Report } from '../../cli/simulate/report.ts';

export interface CapacityPage {
  readonly drawn: Report;
  readonly asTraced: Report;
  readonly scarce: Report;
  readonly seeds: readonly Report[];
  /** The day of the run. */
  readonly day: string;
}

/** The page that publishes what the ladder comes to in simulated clouds, beside simpler policies. */
export function writePage({ drawn, asTraced, scarce, seeds, day }: CapacityPage): string {
  return [
    '# What the ladder comes to',
    '',
    `Simulated on ${day} by \`npm run capacity\`, which writes this page. A virtual cloud and a virtual clock drive the real`,
    'functions, reconcile by reconcile, as Crossplane applies them; the same worlds are played under four simpler policies.',
    '',
    '```sh',
    'npx modelberth simulate -f test/simulate/drawn.yaml --policy all --seeds 50',
    'npx modelberth simulate -f test/simulate/seed-2.yaml --policy all -o html > seed-2.html',
    '```',
    '',
    '![Share of drawn worlds that are served, by time since the claim](capacity.svg)',
    '',
    ...section('Drawn worlds', drawn),
    'The spells, and how alike zones and sizes are, come from public traces of a spot market',
    '(`cli/simulate/worlds/spot-trace-statistics.json`): a prior for the shape of refusals on demand, of which there is no',
    'public trace. How much there is of it is drawn for each world, between a third of the traces and all of it: in both',
    'proofs of concept the planned accelerator came about half the time, in the traces most of it. A first version of this',
    'page had worlds as traced only. Which policy has the better 90th percentile then hangs on a hundredth of the worlds, so',
    'both ends are shown too, and the seeds are new ones.',
    '',
    ...section('Worlds as traced', asTraced),
    ...section('Worlds with a third of that', scarce),
    '## The two proofs of concept',
    '',
    ...seeds.flatMap((report) => [`${report.description}.`, '', ...table(report), '']),
    ...explanation,
  ].join('\n');
}

function section(title: string, report: Report): readonly string[] {
  return [
    `## ${title}`,
    '',
    `${report.worlds} worlds from seed ${report.firstSeed}, never used while a policy was written; ${report.horizonMinutes / 60} hours each.`,
    '',
    ...table(report),
    '',
    'Where a simpler policy wins:',
    '',
    ...listBehind(report),
    ...report.wins.map((wins) => `- ${sayWins(report.worlds)(wins)}`),
    '',
  ];
}

/** Where the median or the 90th percentile of ours is behind by more than creating at zero explains. */
function listBehind({ figures }: Report): readonly string[] {
  const ours = figures.find(({ policy }) => policy === 'ours');
  if (ours === undefined) return [];
  const named = [
    ['median', 'median'],
    ['90th percentile', 'p90'],
  ] as const;
  return figures.flatMap(({ policy, timeToServingMinutes }) =>
    named.flatMap(([name, key]) => {
      const by = ours.timeToServingMinutes[key] - timeToServingMinutes[key];
      if (by <= ours.createAtZeroMinutes) return [];
      return [`- The ${name} of ${policy} is ${by} minutes better, of which ${ours.createAtZeroMinutes} are AT ZERO.`];
    }),
  );
}

const columns = [
  'policy',
  'median, min',
  'p90, min',
  'at zero, min',
  'lost',
  'given up booting',
  'worlds over budget',
  'never served',
  'USD beyond need',
];

function table(report: Report): readonly string[] {
  const rows = rowsOf(report).map((cells) => `| ${cells.join(' | ')} |`);
  return [`| ${columns.join(' | ')} |`, `|${columns.map(() => '---').join('|')}|`, ...rows];
}

const explanation: readonly string[] = [
  '## What is counted',
  '',
  '- **Median, p90**: minutes from the claim until the engine answers. A world that is never served counts with all its time.',
  '- **At zero**: minutes from the claim until an instance is first asked for, where a node group is created at size zero and',
  '  raised once it is ACTIVE. Ours pays them always: a group that is created with its size and refused for 36 minutes is',
  '  CREATE_FAILED and can never be changed again. A launcher that calls EC2 itself asks at once.',
  '- **Lost**: instances that a policy knew it had (their node had joined, or its own call had launched them) when it decided what',
  '  ended them, while no other replica served.',
  '- **Given up booting**: instances that were launched for a rung and ended before their node joined, while nothing served. Who',
  '  asks an Auto Scaling group cannot see them for two to four minutes. It is the price of asking further rungs within a',
  '  budget and a hedge, and a policy that launches instances itself does not pay it.',
  '- **Over budget**: worlds with a minute in which all that ran and was asked for, at the dearest type of each request, cost more',
  '  than the budget of the claim.',
  '- **USD beyond need**: mean dollars a world for instances that did not serve, and for the first nodes of a gang while it waits.',
  '',
  'Wins of a policy are worlds in which it served sooner than ours by more than the minutes at zero. They come from patience:',
  'ours cannot see a refusal, so that it asks the next rung after 12 minutes without nodes, where a launcher is told at once.',
  '',
  '## The virtual cloud',
  '',
  'Each instance type in each zone grants or refuses for itself, over time. Auto Scaling groups try their types in order in every',
  'zone, every two minutes, for good. A node joins two to four minutes after its launch, and an engine loads for seven. In a',
  'quarter of the drawn worlds a raise that is refused stays in progress for up to an hour and blocks parking: nobody has',
  'verified on AWS how long it does. The provider looks at a group every ten minutes, when its object changed and when an',
  'operation ended, and never while one runs; it calls Ready whatever exists. Time goes by minutes, for every policy alike.',
  'Not simulated: reservations, spot interruption under ours, quotas, and prices that change.',
  '',
  'The other policies are in `cli/simulate/policies`, one file each with its source. They are written as their documents describe',
  'them, and fairer where there was a doubt: the sequential one is given gangs that somebody would have to write for it, and',
  'the weighted one does not have the known defect of starving a lower weight.',
  '',
  'Beside the drawn worlds there are scenarios of accidents (`test/simulate`): a late winner, a gang whose nodes come hours apart,',
  'zones that flap, edits during arrival, an hour in which nothing is heard, functions that are killed, a raise that hangs,',
  'nodes that die. In each of them nothing is lost and nothing is above the budget; tests hold that.',
  '',
];
