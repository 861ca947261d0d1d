/**
 * Says whether a model fits an accelerator, term by term, before money is spent. `accountMemory` has the terms and
 * `judgeAccount` the grey band; this file puts the claim's question to them and shapes the answer.
 */
import type { Accelerator } from '../hardware/accelerator.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { ParallelShape } from '../shape/parallel-shape.ts';
import type { Bytes } from '../units/bytes.ts';
import { accountMemory, type MemoryAccount } from './account-memory.ts';
import { readAuthorSettings } from './author-settings.ts';
import { findCompatibility } from './compatibility/find-compatibility.ts';
import { type EngineBuild, readImage } from './engines/engine-build.ts';
import { blocksForRequest, type CacheLayout, countBlocks } from './families/cache-layout.ts';
import { judgeAccount } from './judge-account.ts';
import type { Load } from './load.ts';
import { sizeForEngine } from './size-for-engine.ts';
import { type HostTerms, hostTerms } from './terms/host.ts';
import { doubtWeights, fileBytes } from './terms/weights.ts';
import { type Sizing, type Term, termBytes, type Verdict } from './verdict.ts';

/** The engine as a claim names it. */
export interface FitEngine {
  readonly type: EngineBuild['type'];
  readonly image: string;
  readonly args: readonly string[];
}

export interface FitQuestion {
  readonly facts: ModelFacts;
  readonly accelerator: Accelerator;
  readonly shape: ParallelShape;
  readonly load: Load;
  /** The engine; unset: the newest known vLLM. */
  readonly engine?: FitEngine;
  /** Memory that pods may request on a node; unset: not judged. */
  readonly nodeMemory?: Bytes;
}

const spendingNames = ['weights', 'activation', 'nonTorch', 'graphs'] as const;
const newestEngine: FitEngine = { type: 'vLLM', image: '', args: [] };

/** The verdict for one model on one accelerator of a shape. Bytes of terms are per accelerator. */
export function checkFit(question: FitQuestion): Verdict {
  const { facts, accelerator, shape, load, engine = newestEngine } = question;
  const build = readImage(engine.image, engine.type);
  const computed = sizeForEngine({ load, facts, accelerator, shape, build, args: engine.args });
  const { stated, warnings } = readAuthorSettings({ ...engine, shape, sizing: computed });
  const settings = { ...computed, ...withoutUnset(stated) };
  const claimsUtilization = stated.gpuMemoryUtilization !== undefined;
  const account = accountMemory({ facts, accelerator, shape, build, stated: settings, claimsUtilization });
  const { layout, available } = account;
  if (layout === undefined || available === undefined) return { verdict: 'Unsupported', missing: account.missing };
  const host = hostTerms(shape, fileBytes(facts, shape, termBytes(account.terms, 'weights')));
  const terms = [...account.terms, ...leftover(account, available)];
  const sizing = sizingOf(account);
  const compatibility = findCompatibility({ facts, accelerator, build });
  const minimum = minimumOf(account, layout);
  const notes = [...warnings, ...doubtWeights(facts)];
  const context = { terms, sizing, computed, minimum, host, compatibility, warnings: notes };
  const judged = judgeAccount(account, accelerator);
  const beside = besideMemory(question, host, sizing);
  if (judged.verdict === 'Fit' && Object.keys(beside).length === 0) {
    const { tight, concurrency } = judged;
    return { verdict: 'Fit', tight, kvTokens: Math.floor(concurrency * sizing.maxModelLen), concurrency, ...context };
  }
  const shortfall = judged.verdict === 'Misfit' ? judged.shortfall : 0;
  return { verdict: 'Misfit', shortfall, ...beside, ...fittingContext(account, available), ...context };
}

/** The terms and one request of the full context. */
function minimumOf({ terms, settings }: MemoryAccount, layout: CacheLayout): Bytes {
  const spent = spendingNames.reduce((sum, name) => sum + termBytes(terms, name), 0);
  return spent + layout.blockBytes * blocksForRequest(layout, settings.maxModelLen, settings.maxNumBatchedTokens);
}

/** What refuses a candidate whose accelerators have room: memory of the node, and a context that the model lacks. */
function besideMemory({ facts, engine, nodeMemory }: FitQuestion, host: HostTerms, { maxModelLen }: Sizing) {
  const hostShortfall = Math.max(0, host.memory - (nodeMemory ?? Number.POSITIVE_INFINITY));
  const longest = facts.maxContextTokens ?? Number.POSITIVE_INFINITY;
  // Authors stretch a context by overriding the rotary embedding; then the engine decides.
  const isStretched = engine?.args.some((argument) => /^--(hf-overrides|rope-scaling)/.test(argument)) === true;
  return {
    ...(hostShortfall > 0 ? { hostShortfall } : {}),
    ...(maxModelLen > longest && !isStretched ? { longestContextTokens: longest } : {}),
  };
}

function withoutUnset<T extends object>(stated: T): T {
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)) as T;
}

function sizingOf({ settings }: MemoryAccount): Sizing {
  const { gpuMemoryUtilization, maxModelLen, maxNumSeqs, maxNumBatchedTokens } = settings;
  return { gpuMemoryUtilization, maxModelLen, maxNumSeqs, maxNumBatchedTokens };
}

function leftover({ terms }: MemoryAccount, available: Bytes): readonly Term[] {
  const headroom = termBytes(terms, 'visible') - termBytes(terms, 'requested');
  return [
    { name: 'kvCache', bytes: Math.max(0, available), origin: 'formula' },
    { name: 'headroom', bytes: headroom, origin: 'default' },
  ];
}

/** The shortest context that a claim may ask for; below it a shorter context is no advice. */
const shortestContextTokens = 256;

/** The longest context of which the pool holds one request, by bisection; empty where not even the shortest fits. */
function fittingContext(account: MemoryAccount, available: Bytes): { fittingContextTokens?: number } {
  const { layout, settings } = account;
  if (layout === undefined) return {};
  const blocks = countBlocks(layout, available);
  const holds = (tokens: number) => blocksForRequest(layout, tokens, settings.maxNumBatchedTokens) <= blocks;
  if (!holds(shortestContextTokens)) return {};
  let [least, most] = [shortestContextTokens, settings.maxModelLen];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (holds(middle)) least = middle;
    else most = middle - 1;
  }
  return { fittingContextTokens: least };
}
