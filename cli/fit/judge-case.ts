import { accountMemory, type MemoryAccount } from '../../domain/fit/account-memory.ts';
import { findCompatibility } from '../../domain/fit/compatibility/find-compatibility.ts';
import { blocksForRequest, countBlocks } from '../../domain/fit/families/cache-layout.ts';
import { type Judgement, judgeAccount } from '../../domain/fit/judge-account.ts';
import { logTokens } from '../../domain/fit/log-tokens.ts';
import type { Accelerator } from '../../domain/hardware/accelerator.ts';
import { gib } from '../../domain/units/bytes.ts';
import type { FitCase } from './fit-case.ts';
import { inferFormat } from './infer-format.ts';
import { type CaseQuestion, isGuessed, readCase, unknownDrafter, unknownShape } from './read-case.ts';

/** What the fit says of a logged start, in the form that `fit --cases -o json` prints. */
export interface CaseAnswer {
  readonly id: string;
  readonly family: string | null;
  readonly supported: boolean;
  readonly missing: readonly string[];
  readonly weightsGib: number | null;
  readonly weightsGibFromFiles: number | null;
  readonly activationGib: number | null;
  readonly graphsGib: number | null;
  readonly nonTorchGib: number | null;
  readonly kvGib: number | null;
  readonly kvTokens: number | null;
  readonly kvTokensFromLoggedKv: number | null;
  readonly concurrency: number | null;
  readonly verdict: 'Fit' | 'Misfit' | null;
  readonly tight: boolean | null;
}

/** Stands in for an accelerator that the log does not name, so that what needs none can be said. */
const anyAccelerator: Accelerator = {
  name: 'unknown',
  productName: 'unknown',
  vendor: 'NVIDIA',
  memory: 48 * gib,
  visibleMemory: 48 * gib,
};

/** Judges a case: every figure that the known facts allow, null for the rest. */
export function judgeCase(logged: FitCase): CaseAnswer {
  const question = readCase(logged);
  if (question.facts === undefined) return emptyAnswer(logged, question);
  const account = accountFor(question, logged);
  const fromFiles = accountFor(question, { ...logged, weights_gib_per_rank: null });
  const missing = [...new Set([...question.missing, ...account.missing])].sort();
  const knowsShape = !missing.includes(unknownShape);
  const lacksGeometry = question.missing.some((fact) => fact !== unknownShape);
  const supported = account.layout !== undefined && !lacksGeometry;
  const hasFiles = question.facts.weightBytes !== undefined && knowsShape && !missing.includes(unknownDrafter);
  const hasAccelerator = question.accelerator !== undefined;
  return {
    ...emptyAnswer(logged, question),
    family: question.facts.attention ?? null,
    supported,
    missing,
    weightsGib: knowsShape || logged.weights_gib_per_rank != null ? termGib(account, 'weights') : null,
    weightsGibFromFiles: hasFiles ? termGib(fromFiles, 'weights') : null,
    activationGib: hasAccelerator ? termGib(account, 'activation') : null,
    graphsGib: hasAccelerator ? termGib(account, 'graphs') : null,
    nonTorchGib: termGib(account, 'nonTorch'),
    kvTokensFromLoggedKv: supported ? tokensFromLog(account, logged) : null,
    ...judgePool(account, question, logged),
  };
}

function accountFor(question: CaseQuestion, logged: FitCase): MemoryAccount {
  const { facts = {}, accelerator = anyAccelerator, shape, build, stated, freeMemory } = question;
  const weights = logged.weights_gib_per_rank;
  const asked = {
    facts,
    accelerator,
    shape,
    build,
    ...(freeMemory === undefined ? {} : { freeMemory }),
    ...(weights == null ? {} : { measuredWeights: weights * gib }),
  };
  const account = accountMemory({ ...asked, stated });
  if (logged.block_size == null || stated.cacheFormat !== undefined) return account;
  const cacheFormat = inferFormat(facts, shape, account.settings, logged.block_size);
  return cacheFormat === undefined ? account : accountMemory({ ...asked, stated: { ...stated, cacheFormat } });
}

/** The pool and the verdict, where the accelerator, the shape and the geometry are known. */
function judgePool(account: MemoryAccount, question: CaseQuestion, logged: FitCase): Partial<CaseAnswer> {
  const { available, layout } = account;
  if (available === undefined || layout === undefined || question.accelerator === undefined) return {};
  if (isBroken(question)) return { verdict: 'Misfit' };
  const judged = judgeContext(account, question.accelerator);
  const lacking = question.missing.filter((fact) => fact !== unknownShape || logged.weights_gib_per_rank == null);
  if (lacking.length > 0) return judgeLacking(lacking, judged);
  const verdict = { verdict: judged.verdict, tight: judged.verdict === 'Fit' ? judged.tight : null };
  if (isGuessed(logged)) return verdict;
  return {
    ...verdict,
    kvGib: round(available / gib, 100),
    kvTokens: logTokens(account, available) ?? null,
    concurrency: concurrencyOf(account, available),
  };
}

/** Without its drafter's cache a pool is too large: that it does not hold the request is certain all the same. */
function judgeLacking(lacking: readonly string[], judged: Judgement): Partial<CaseAnswer> {
  const isCertain = judged.verdict === 'Misfit' && lacking.every((fact) => fact === unknownDrafter);
  return isCertain ? { verdict: 'Misfit' } : {};
}

/** Whether the combination is known not to load, whatever its memory. */
function isBroken({ facts, accelerator, build }: CaseQuestion): boolean {
  if (facts === undefined || accelerator === undefined) return false;
  return findCompatibility({ facts, accelerator, build }).state === 'KnownBroken';
}

/** The shortest context that is of use; judged where the log does not tell the context. */
const usefulTokens = 2048;

/** A context that is not told may have been any: it fits where a short one does, and tightly where the longest does not. */
function judgeContext(account: MemoryAccount, accelerator: Accelerator): Judgement {
  const judged = judgeAccount(account, accelerator);
  if (account.settings.statesContext || judged.verdict === 'Fit') return judged;
  const shorter = { ...account, settings: { ...account.settings, maxModelLen: usefulTokens } };
  const short = judgeAccount(shorter, accelerator);
  return short.verdict === 'Misfit' ? short : { ...short, tight: true };
}

function concurrencyOf({ layout, settings }: MemoryAccount, available: number): number | null {
  if (layout === undefined || settings.maxModelLen === 0) return null;
  const perRequest = blocksForRequest(layout, settings.maxModelLen, settings.maxNumBatchedTokens);
  return round(countBlocks(layout, available) / perRequest, 100);
}

function tokensFromLog(account: MemoryAccount, logged: FitCase): number | null {
  const kv = logged.available_kv_gib;
  return kv == null ? null : (logTokens(account, kv * gib) ?? null);
}

function termGib(account: MemoryAccount, name: string): number | null {
  const term = account.terms.find((candidate) => candidate.name === name);
  return term === undefined ? null : round(term.bytes / gib, 100);
}

function round(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}

function emptyAnswer(logged: FitCase, question: CaseQuestion): CaseAnswer {
  return {
    id: logged.id,
    family: null,
    supported: false,
    missing: question.missing,
    weightsGib: logged.weights_gib_per_rank ?? null,
    weightsGibFromFiles: null,
    activationGib: null,
    graphsGib: null,
    nonTorchGib: null,
    kvGib: null,
    kvTokens: null,
    kvTokensFromLoggedKv: null,
    concurrency: null,
    verdict: null,
    tight: null,
  };
}
