import { vendorNotes } from '../../domain/fit/advice/vendor-notes.ts';
import { type Term, termBytes, type Verdict } from '../../domain/fit/verdict.ts';
import { describeShape } from '../../domain/shape/shape.ts';
import { type Bytes, gib, inGib } from '../../domain/units/bytes.ts';
import type { FitAnswer } from './answer-request.ts';

/** The answer as text: the verdict, the memory as a bar and term by term, the flags, and what else would do. */
export function printFit(answer: FitAnswer): string {
  const { request, illegal } = answer;
  const where = describeShape(request.question.shape, request.known.name);
  const lines = [
    `${request.modelName} on ${where}, ${request.engineText}`,
    ...illegal.map((reason) => `Not legal: ${reason}`),
    headline(answer),
    ...printContext(answer),
    ...printMemory(answer),
    ...printCallers(answer),
    ...printCompatibility(answer.verdict),
    ...vendorNotes(request.question.accelerator, request.question.facts),
    ...printFlags(answer),
    ...printChanges(answer),
    ...printShapes(answer),
  ];
  return `${lines.join('\n')}\n`;
}

/** The verdict in one line. */
export function headline({ verdict, illegal }: FitAnswer): string {
  if (verdict.verdict === 'Unsupported')
    return `Unsupported: unknown ${verdict.missing.join(', ')}; state it in a facts file`;
  if (verdict.verdict === 'Misfit') {
    const context =
      verdict.fittingContextTokens === undefined
        ? 'no request fits'
        : `it holds ${verdict.fittingContextTokens} tokens of context`;
    return `Misfit: each accelerator is short by ${inGib(verdict.shortfall)} GiB; ${context}`;
  }
  const { kvTokens, concurrency, sizing } = verdict;
  const kind = verdict.tight ? 'Fit, tight' : 'Fit';
  const said = illegal.length === 0 ? kind : `By memory alone: ${kind}`;
  return `${said}: ${kvTokens} tokens of KV cache, ${concurrency.toFixed(1)} requests of ${sizing.maxModelLen} tokens at once`;
}

/** A context that nobody asked for is stated, and how far it could go. */
function printContext({ request, verdict }: FitAnswer): readonly string[] {
  if (request.asksContext || verdict.verdict === 'Unsupported') return [];
  const { maxModelLen } = verdict.sizing;
  const room = verdict.verdict === 'Fit' ? `; the cache holds ${verdict.kvTokens} tokens in all` : '';
  return [`Context: not asked, so ${maxModelLen} tokens are taken${room}`];
}

/** What fills the memory of one accelerator, in the order of the bar. */
export const shares: readonly (readonly [Term['name'], string, string])[] = [
  ['weights', 'weights', 'W'],
  ['activation', 'activation', 'A'],
  ['nonTorch', 'non-torch', 'N'],
  ['graphs', 'CUDA graphs', 'G'],
  ['kvCache', 'KV cache', 'K'],
  ['headroom', 'headroom', '.'],
];

const barWidth = 60;

function printMemory({ verdict }: FitAnswer): readonly string[] {
  if (verdict.verdict === 'Unsupported') return [];
  const { terms, host, minimum } = verdict;
  const visible = termBytes(terms, 'visible');
  const rows = shares.map(([name, label, letter]) => {
    const term = terms.find((candidate) => candidate.name === name);
    return `  ${letter} ${label.padEnd(12)}${inGib(term?.bytes ?? 0).padStart(8)} GiB  ${term?.origin ?? ''}`;
  });
  return [
    '',
    `Memory of one accelerator: ${inGib(visible)} GiB visible, ${inGib(termBytes(terms, 'requested'))} GiB requested`,
    `  [${bar(terms, visible)}]`,
    ...rows,
    `One request takes ${inGib(minimum)} GiB at least; the engine claims ${inGib(termBytes(terms, 'requested'))} GiB all the same`,
    `Each node: ${inGib(host.memory)} GiB of memory, ${inGib(host.disk)} GiB of disk for the weights, ${inGib(host.sharedMemory)} GiB of /dev/shm`,
  ];
}

/** Each share gets its part of the width; what does not fit is cut off, so that a misfit shows as a bar without cache. */
function bar(terms: readonly Term[], visible: Bytes): string {
  const letters = shares.map(([name, , letter]) =>
    letter.repeat(Math.round((termBytes(terms, name) / visible) * barWidth)),
  );
  return letters.join('').slice(0, barWidth).padEnd(barWidth, '.');
}

function printCallers({ requests, replicas, verdict }: FitAnswer): readonly string[] {
  if (replicas === undefined || verdict.verdict !== 'Fit') return [];
  const word = replicas === 1 ? 'replica' : 'replicas';
  return ['', `Callers: ${requests.requests} requests at once (${requests.rule}) take ${replicas} ${word}`];
}

function printCompatibility(verdict: Verdict): readonly string[] {
  if (verdict.verdict === 'Unsupported' || verdict.compatibility.state === 'Observed') return [];
  const { state, row } = verdict.compatibility;
  if (state === 'Claimed' || row === undefined)
    return ['', 'Compatibility: claimed; no start of this model kind on this engine and accelerator was observed'];
  const cure = row.works === undefined ? '' : `; works: ${row.works}`;
  return ['', `Compatibility: known broken: ${row.says} (${row.link}, read ${row.readOn})${cure}`];
}

function printFlags({ flags, verdict }: FitAnswer): readonly string[] {
  if (verdict.verdict === 'Unsupported') return [];
  const rows = flags.map(({ flag, value, setBy, reason }) => `  ${flag}=${value}  ${setBy}: ${reason}`);
  return ['', 'Flags', ...rows, ...verdict.warnings.map((warning) => `  Warning: ${warning}`)];
}

function printChanges({ changes }: FitAnswer): readonly string[] {
  if (changes.length === 0) return [];
  const rows = changes.map(({ change, verdict }) => {
    const kind = verdict.tight ? 'fits, tight' : 'fits';
    return `  ${change}: ${kind}, ${verdict.concurrency.toFixed(1)} requests at once`;
  });
  return ['', 'Each of these changes alone would do', ...rows];
}

function printShapes({ shapes, request }: FitAnswer): readonly string[] {
  if (shapes.length === 0) return [];
  const rows = shapes.map(({ shape, verdict, speed }) => {
    const { tensorParallelSize: tensor, pipelineParallelSize: stages } = shape;
    const rate = speed === undefined ? '' : `, about ${Math.round(speed.decodeTokensPerSecond)} tokens/s (estimate)`;
    const free = ((verdict.concurrency * 10) / 10).toFixed(1);
    return `  ${describeShape(shape, request.known.name)}, tensor ${tensor}, pipeline ${stages}: ${free} requests at once${rate}`;
  });
  return ['', `Legal shapes that fit, by accelerators (${gibOf(request.known.visibleMib)} GiB each)`, ...rows];
}

function gibOf(mib: number): string {
  return inGib((mib / 1024) * gib);
}
