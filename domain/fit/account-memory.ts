/**
 * The memory of one accelerator, term by term, as the engine will account for it at start-up (fit.md 1 and 3, read
 * 2026-12-01): requested = utilisation x visible; KV cache = requested - weights - activation - non-torch - graphs.
 * SGLang profiles nothing: its fraction holds weights and cache, and the rest must do for everything else.
 */
import type { Accelerator } from '../hardware/accelerator.ts';
import { ModelFacts } from '../model/model-facts.ts';
import type { ParallelShape } from '../shape/parallel-shape.ts';
import type { Bytes } from '../units/bytes.ts';
import { completeSettings, type EngineSettings, type StatedSettings } from './engine-settings.ts';
import type { EngineBuild } from './engines/engine-build.ts';
import { sglangBehaviour, sglangReserve } from './engines/sglang.ts';
import { behaviourOf, type EngineBehaviour } from './engines/vllm-eras.ts';
import { type CacheLayout, isLayout } from './families/cache-layout.ts';
import { layOutCache } from './families/families.ts';
import { activationBytes } from './terms/activation.ts';
import { contextBytes, graphBytes, nonTorchBytes } from './terms/outside-torch.ts';
import { weightTerm } from './terms/weights.ts';
import type { Term, TermOrigin } from './verdict.ts';

export interface MemoryQuestion {
  readonly facts: ModelFacts;
  readonly accelerator: Accelerator;
  readonly shape: ParallelShape;
  readonly build: EngineBuild;
  readonly stated: StatedSettings;
  /** Whether the utilisation is the author's; unset: whether one is stated. */
  readonly claimsUtilization?: boolean;
  /** Memory that is free before the start; unset: all but the context of the engine's own process. */
  readonly freeMemory?: Bytes;
  /** Weights of a rank as an engine logged them; they replace the computed ones. */
  readonly measuredWeights?: Bytes;
}

export interface MemoryAccount {
  readonly settings: EngineSettings;
  readonly behaviour: EngineBehaviour;
  /** The layout of the cache; undefined where its geometry is unknown. */
  readonly layout?: CacheLayout;
  readonly terms: readonly Term[];
  /** Bytes that are left for the cache, below zero when nothing is; undefined when a term is unknown. */
  readonly available?: Bytes;
  /** Graphs that come on top of the requested share after the pool was sized. */
  readonly graphsOutside: Bytes;
  /** What an engine without a profile run keeps beside its share for activations. */
  readonly activationOutside: Bytes;
  /** What the share asks for above what is free before the start; the engine then refuses to start. */
  readonly notFree: Bytes;
  readonly missing: readonly string[];
}

/** Accounts for every term that can be known, and names the facts that the others would take. */
export function accountMemory(question: MemoryQuestion): MemoryAccount {
  const { facts, accelerator, shape, build, stated } = question;
  const behaviour = build.type === 'SGLang' ? sglangBehaviour(accelerator, shape, stated) : behaviourOf(build, facts);
  const settings = completeSettings(stated, facts, behaviour, accelerator);
  const answer = layOutCache({ facts, shape, settings });
  const spending = listSpending(question, settings, behaviour);
  const graphs = graphBytes(facts, shape, settings, behaviour.measuresGraphs);
  const requested = settings.gpuMemoryUtilization * shareBase(question);
  const spent = spending.terms.reduce((sum, term) => sum + term.bytes, 0);
  return {
    settings,
    behaviour,
    ...(isLayout(answer) ? { layout: answer } : {}),
    terms: [...budgetTerms(question, requested), ...spending.terms],
    ...(spending.missing.length > 0 ? {} : { available: settings.kvCacheMemory ?? requested - spent }),
    activationOutside: build.type === 'SGLang' ? sglangReserve(accelerator, shape, stated) / 2 : 0,
    graphsOutside: behaviour.subtractsGraphs ? 0 : graphs,
    notFree: build.type === 'SGLang' ? 0 : Math.max(0, requested - (question.freeMemory ?? requested)),
    missing: inOrder([...(isLayout(answer) ? [] : answer.missing), ...spending.missing]),
  };
}

/** What the share is a share of: vLLM takes all that the device has, SGLang what is free before it loads (fit.md 3). */
function shareBase({ build, accelerator, freeMemory }: MemoryQuestion): Bytes {
  if (build.type === 'vLLM') return accelerator.visibleMemory;
  return freeMemory ?? accelerator.visibleMemory - contextBytes;
}

function budgetTerms({ accelerator, stated, claimsUtilization }: MemoryQuestion, requested: Bytes): readonly Term[] {
  const isClaimed = claimsUtilization ?? stated.gpuMemoryUtilization !== undefined;
  const origin: TermOrigin = isClaimed ? 'claim' : 'default';
  return [
    { name: 'visible', bytes: accelerator.visibleMemory, origin: 'hardware' },
    { name: 'requested', bytes: requested, origin },
  ];
}

interface Spending {
  readonly terms: readonly Term[];
  readonly missing: readonly string[];
}

function listSpending(question: MemoryQuestion, settings: EngineSettings, behaviour: EngineBehaviour): Spending {
  const { facts, shape, accelerator, measuredWeights } = question;
  const terms: Term[] = [];
  const missing: string[] = [];
  const weights =
    measuredWeights === undefined
      ? weightTerm(facts, shape, settings)
      : { bytes: measuredWeights, origin: 'measured' as const };
  if (weights === undefined) missing.push('spec.model.facts.weightBytes');
  else terms.push({ name: 'weights', ...weights });
  if (behaviour.profilesActivation) {
    const activation = activationBytes({ facts, shape, settings, behaviour });
    if (activation === undefined) missing.push(...missingWidths(facts));
    else terms.push({ name: 'activation', bytes: activation, origin: 'formula' });
  }
  terms.push({
    name: 'nonTorch',
    bytes: nonTorchBytes(shape, behaviour.runner, accelerator),
    origin: 'formula',
  });
  const graphs = behaviour.subtractsGraphs ? graphBytes(facts, shape, settings, behaviour.measuresGraphs) : 0;
  terms.push({ name: 'graphs', bytes: graphs, origin: 'formula' });
  return { terms, missing };
}

/** The facts in the order in which a claim states them, each once; anything else after them. */
const factOrder = Object.keys(ModelFacts.shape).map((field) => `spec.model.facts.${field}`);

function inOrder(missing: readonly string[]): readonly string[] {
  const place = (fact: string) => (factOrder.indexOf(fact) + factOrder.length + 1) % (factOrder.length + 1);
  return [...new Set(missing)].sort((left, right) => place(left) - place(right));
}

function missingWidths(facts: ModelFacts): readonly string[] {
  const width = facts.experts === undefined ? facts.intermediateSize : facts.experts.intermediateSize;
  const name = facts.experts === undefined ? 'intermediateSize' : 'experts.intermediateSize';
  const missing: string[] = [];
  if (facts.hiddenSize === undefined) missing.push('spec.model.facts.hiddenSize');
  if (facts.vocabularySize === undefined) missing.push('spec.model.facts.vocabularySize');
  if (width === undefined) missing.push(`spec.model.facts.${name}`);
  return missing;
}
