import type { SmallestLimit } from './explain-stream.ts';
import type { ExplainedService } from './explain-world.ts';
import { item, paragraph, section, table } from './layout.ts';
import { printProblems } from './print-problems.ts';
import type { LimitKind, StreamLimit } from './read-limits.ts';

/** One service as lines of text. */
export function printService(service: ExplainedService, width: number): readonly string[] {
  const { namespace, name, model, gateway, deployments, problems, stream, unknown } = service;
  const title = `ModelService ${namespace}/${name}  callers send model "${model}" to gateway "${gateway}", which asks ${deployments.join(', ')}`;
  return [
    ...paragraph(title, width),
    ...printProblems(problems, width),
    ...section('Stream path', [
      ...table([['HOP', 'LIMITS', 'VALUE', 'SET BY'], ...stream.hops.map(printHop)], width),
      ...stream.smallest.flatMap((smallest) => item(saySmallest(smallest), width)),
      ...sayWhole(stream.hops).flatMap((sentence) => item(sentence, width)),
    ]),
    ...section(
      'Unknown',
      unknown.flatMap((sentence) => item(sentence, width)),
    ),
  ];
}

const words: Readonly<Record<LimitKind, string>> = { Silence: 'silence', Whole: 'the whole', Drain: 'leaving' };

function printHop({ hop, limits, state, seconds, setBy }: StreamLimit): readonly string[] {
  const value = seconds === undefined ? 'none' : `${seconds} s`;
  return [hop, words[limits], state === 'Rendered' ? value : 'unknown', setBy];
}

function saySmallest({ limits, seconds, hops }: SmallestLimit): string {
  const by = hops.join(', ');
  if (limits === 'Silence') return `Smallest: a stream that is silent for ${seconds} s is cut, by ${by}`;
  if (limits === 'Whole') return `Smallest: a stream is cut after ${seconds} s whatever it does, by ${by} (L23)`;
  return `Smallest: a stream that runs while its hop leaves has ${seconds} s to end, at ${by}`;
}

/** That nothing bounds a whole stream is said only where every hop that could is rendered. */
function sayWhole(hops: readonly StreamLimit[]): readonly string[] {
  const wholes = hops.filter((limit) => limit.limits === 'Whole');
  const isFree =
    wholes.length > 0 && wholes.every((limit) => limit.state === 'Rendered' && limit.seconds === undefined);
  return isFree ? ['No hop limits the whole of a stream'] : [];
}
