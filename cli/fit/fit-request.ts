import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { FitEngine, FitQuestion } from '../../domain/fit/check-fit.ts';
import { Load } from '../../domain/fit/load.ts';
import { findAccelerator, suggestAccelerator, toAccelerator } from '../../domain/hardware/find-accelerator.ts';
import type { KnownAccelerator } from '../../domain/hardware/known-accelerator.ts';
import { findFacts } from '../../domain/model/find-facts.ts';
import { ModelFacts } from '../../domain/model/model-facts.ts';
import { UnreadableInput } from '../unreadable.ts';

/** What a person writes after `modelberth fit`. */
export interface FitFlags {
  readonly model?: string;
  readonly accelerator?: string;
  readonly count: string;
  readonly nodes: string;
  readonly pipeline?: string;
  readonly context?: string;
  readonly concurrency?: string;
  readonly people?: string;
  readonly agentUsers?: string;
  readonly engine: string;
  readonly arg: readonly string[];
}

/** The question of a person, with the names to answer it by. */
export interface FitRequest {
  readonly modelName: string;
  readonly known: KnownAccelerator;
  readonly question: FitQuestion & { readonly engine: FitEngine };
  readonly engineText: string;
  /** Whether the context was asked for, and is not our default. */
  readonly asksContext: boolean;
}

/** Turns the flags into a question; says which one cannot be read and what it may be. */
export function readRequest(flags: FitFlags): FitRequest {
  const { facts, modelName } = readModel(flags.model);
  const known = readKnown(flags.accelerator);
  const shape = readShape(flags);
  const context = readWhole(flags.context, '--context') ?? Math.min(facts.maxContextTokens ?? 8192, defaultContext);
  const concurrentRequests = readWhole(flags.concurrency, '--concurrency');
  const users = readUsers(flags);
  const load = Load.parse({
    contextTokens: context,
    ...(concurrentRequests === undefined ? {} : { concurrentRequests }),
    ...(users === undefined ? {} : { users }),
  });
  const engine = readEngine(flags);
  return {
    modelName,
    known,
    engineText: flags.engine,
    asksContext: flags.context !== undefined,
    question: { facts, accelerator: toAccelerator(known), shape, load, engine },
  };
}

/** A context that nobody asked for is never the longest that the model admits; this is stated in the answer. */
const defaultContext = 32768;

function readModel(name: string | undefined): { facts: ModelFacts; modelName: string } {
  if (name === undefined)
    throw new UnreadableInput('Cannot judge without --model: name one of the hub, or a facts file');
  if (/\.(ya?ml|json)$/.test(name)) return { facts: readFactsFile(name), modelName: name };
  const found = findFacts(name, undefined);
  if (Object.keys(found.facts).length > 0) return { facts: found.facts, modelName: name };
  const guess = found.suggestion === undefined ? '' : `did you mean "${found.suggestion}"? Or `;
  throw new UnreadableInput(
    `Cannot find --model "${name}" in the catalogue: ${guess}give its facts in a file (modelberth model facts PATH)`,
  );
}

function readFactsFile(path: string): ModelFacts {
  const content: unknown = parse(readText(path));
  const body = isFactsHolder(content) ? content.facts : content;
  const read = ModelFacts.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UnreadableInput(`Cannot read the facts in "${path}": ${issue?.path.join('.')}: ${issue?.message}`);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UnreadableInput(`Cannot read --model "${path}": ${(error as Error).message}`);
  }
}

function isFactsHolder(content: unknown): content is { facts: unknown } {
  return typeof content === 'object' && content !== null && 'facts' in content;
}

function readKnown(name: string | undefined): KnownAccelerator {
  if (name === undefined) throw new UnreadableInput('Cannot judge without --accelerator: name one, e.g. L40S');
  const known = findAccelerator(name);
  if (known !== undefined) return known;
  const memory = /^(\d+(?:\.\d+)?)GiB$/i.exec(name)?.[1];
  if (memory !== undefined) return userSupplied(name, Number(memory));
  throw new UnreadableInput(
    `Cannot find --accelerator "${name}": did you mean "${suggestAccelerator(name)}"? Or give its visible memory, e.g. 44.4GiB`,
  );
}

/** An accelerator of which only the memory is told. */
function userSupplied(name: string, memoryGib: number): KnownAccelerator {
  const mib = Math.round(memoryGib * 1024);
  return {
    name,
    vendor: 'NVIDIA',
    productName: `user supplied, ${name}`,
    architecture: 'unknown',
    computeCapability: 'unknown',
    memoryMib: mib,
    visibleMib: mib,
    bandwidthGbs: 1,
    tflops: {},
    linkGbs: 0,
    alsoKnownAs: [name],
    source: 'user supplied',
    readOn: '2026-12-01',
  };
}

function readShape(flags: FitFlags) {
  const count = readWhole(flags.count, '--count') ?? 1;
  const nodes = readWhole(flags.nodes, '--nodes') ?? 1;
  const pipelineParallelSize = readWhole(flags.pipeline, '--pipeline') ?? nodes;
  const tensorParallelSize = Math.max(1, Math.floor((count * nodes) / pipelineParallelSize));
  return { nodes, acceleratorsPerNode: count, tensorParallelSize, pipelineParallelSize };
}

function readUsers(flags: FitFlags): { people: number; agentUsers: number } | undefined {
  const people = readWhole(flags.people, '--people');
  const agentUsers = readWhole(flags.agentUsers, '--agent-users');
  if (people === undefined && agentUsers === undefined) return undefined;
  return { people: people ?? 0, agentUsers: agentUsers ?? 0 };
}

function readEngine({ engine, arg }: FitFlags): FitEngine {
  const [, type, version] = /^(vllm|sglang)(?:@v?(\d+(?:\.\d+)*))?$/i.exec(engine) ?? [];
  if (type === undefined)
    throw new UnreadableInput(`Cannot read --engine "${engine}": write vllm@0.30 or sglang@0.5, or leave the version`);
  const image = version === undefined ? type : `${type}:v${version}`;
  return { type: type.toLowerCase() === 'vllm' ? 'vLLM' : 'SGLang', image, args: arg };
}

function readWhole(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UnreadableInput(`Cannot read ${flag} "${text}": write a whole number above 0`);
}
