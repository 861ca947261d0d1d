import { vendorNotes } from '../../domain/fit/advice/vendor-notes.ts';
import { checkFit } from '../../domain/fit/check-fit.ts';
import type { Term, TermOrigin, Verdict } from '../../domain/fit/verdict.ts';
import type { HardwareClass } from '../../domain/hardware/hardware-class.ts';
import type { NodeType } from '../../domain/hardware/node-type.ts';
import { listSources } from '../../domain/placement/node-sources.ts';
import { listShapes } from '../../domain/shape/list-shapes.ts';
import { describeShape, type Shape } from '../../domain/shape/shape.ts';
import { roundGib } from '../../domain/units/bytes.ts';
import { chosenCandidate } from './explain-candidates.ts';
import type { DeploymentReading } from './read-deployment.ts';

/** One term of the memory of an accelerator. */
export interface ExplainedTerm {
  readonly name: Term['name'];
  readonly gib: number;
  readonly origin: TermOrigin;
  /** Where the figure was found, where the origin alone does not say it. */
  readonly source?: string;
}

/** The memory of one accelerator of a shape. */
export interface ExplainedMemory {
  readonly accelerator: string;
  readonly class: string;
  readonly shape: string;
  readonly verdict: Verdict['verdict'];
  readonly tight: boolean;
  readonly terms: readonly ExplainedTerm[];
  /** Tokens that the KV cache holds, of all requests together. */
  readonly kvTokens?: number;
  /** Requests of the full context at once. */
  readonly concurrency?: number;
  readonly contextTokens?: number;
  readonly shortfallGib?: number;
  /** Facts without which no figure can be given. */
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
}

/** A shape with its verdict, whether or not it may be asked for. */
export interface JudgedShape {
  readonly hardwareClass: HardwareClass;
  readonly shape: Shape;
  readonly verdict: Verdict;
}

/** The memory of the chosen candidate, else of the refused one that is nearest to fitting; undefined without any. */
export function explainMemory(reading: DeploymentReading): ExplainedMemory | undefined {
  const judged = judgedShape(reading);
  return judged === undefined ? undefined : describe(judged, reading);
}

/** The shape whose figures are shown. */
export function judgedShape(reading: DeploymentReading): JudgedShape | undefined {
  return chosenCandidate(reading) ?? reading.unbounded[0] ?? nearestShape(reading);
}

/** Where nothing fits whatever the price: what is short of least comes before what nobody knows. */
function nearestShape(reading: DeploymentReading): JudgedShape | undefined {
  const judged = reading.classes.flatMap((hardwareClass) => judgeClass(hardwareClass, reading));
  return [...judged].sort((left, right) => lacking(left.verdict) - lacking(right.verdict))[0];
}

function judgeClass(hardwareClass: HardwareClass, reading: DeploymentReading): readonly JudgedShape[] {
  const { accelerator } = hardwareClass;
  const { found, spec } = reading;
  const nodeTypes = nodeTypesOf(hardwareClass, reading);
  const counts = nodeTypes.map((type) => type.accelerators);
  return listShapes(found.facts, counts, spec.placement.mostNodes).map((shape) => {
    const ofSize = nodeTypes.filter((type) => type.accelerators === shape.acceleratorsPerNode);
    const nodeMemory = Math.min(...ofSize.map((type) => type.allocatableMemory));
    const { load, engine } = spec;
    const verdict = checkFit({ facts: found.facts, accelerator, shape, load, engine, nodeMemory });
    return { hardwareClass, shape, verdict };
  });
}

/** What any cluster has of a class; what the class itself lists where none has it. */
function nodeTypesOf(hardwareClass: HardwareClass, { clusters }: DeploymentReading): readonly NodeType[] {
  const provided = clusters.flatMap(({ cluster }) => listSources(cluster, hardwareClass));
  return provided.length === 0 ? hardwareClass.nodeTypes : provided.flatMap(({ nodeTypes }) => nodeTypes);
}

/** Bytes that a verdict lacks; what nobody knows lacks more than any. */
function lacking(verdict: Verdict): number {
  if (verdict.verdict === 'Fit') return 0;
  return verdict.verdict === 'Misfit' ? verdict.shortfall : Number.MAX_VALUE;
}

function describe({ hardwareClass, shape, verdict }: JudgedShape, reading: DeploymentReading): ExplainedMemory {
  const accelerator = hardwareClass.accelerator.name;
  const where = { accelerator, class: hardwareClass.name, shape: describeShape(shape, accelerator) };
  if (verdict.verdict === 'Unsupported')
    return { ...where, verdict: 'Unsupported', tight: false, terms: [], missing: verdict.missing, warnings: [] };
  const contextTokens = verdict.sizing.maxModelLen;
  const terms = verdict.terms.map((term) => describeTerm(term, reading));
  const warnings = [...verdict.warnings, ...vendorNotes(hardwareClass.accelerator, reading.found.facts)];
  const shared = { ...where, terms, contextTokens, missing: [], warnings };
  if (verdict.verdict === 'Misfit')
    return { ...shared, verdict: 'Misfit', tight: false, shortfallGib: roundGib(verdict.shortfall) };
  const { tight, kvTokens } = verdict;
  return { ...shared, verdict: 'Fit', tight, kvTokens, concurrency: Math.round(verdict.concurrency * 10) / 10 };
}

function describeTerm({ name, bytes, origin }: Term, reading: DeploymentReading): ExplainedTerm {
  const source = sourceOf(name, origin, reading);
  return { name, gib: roundGib(bytes), origin, ...(source === undefined ? {} : { source }) };
}

/** What stands behind an origin: the field of the claim, the shipped catalogue, or the field of the class. */
function sourceOf(name: Term['name'], origin: TermOrigin, { found }: DeploymentReading): string | undefined {
  if (name === 'weights' && origin === 'file')
    return found.origins.weightBytes === 'claim' ? 'spec.model.facts.weightBytes' : 'shipped catalogue';
  if (origin === 'hardware') return 'spec.accelerator.visibleMemory of the class';
  return origin === 'claim' ? 'spec.engine.args' : undefined;
}
