/**
 * Measures a function and the echo in the same rounds, one right after the other and in turn first, so that a machine
 * that slows down or is shared slows both. Every ratio is that of one round; of the rounds the median is reported.
 */
import { type Caller, countCalls, timeCalls } from './bench-load.ts';
import type { BenchProcess } from './bench-process.ts';
import { median, percentile } from './bench-statistics.ts';

/** A server under test with a connection to it. */
export interface Target {
  readonly process: BenchProcess;
  readonly caller: Caller;
}

/** A function, and the echo beside it. */
export interface Pair<T> {
  readonly subject: T;
  readonly echo: T;
}

/** Times in milliseconds at concurrency 1, CPU time of the server for one request, and answers per second. */
export interface Figures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
  readonly perSecond: number;
}

export interface Comparison extends Pair<Figures> {
  readonly p50RatioToEcho: number;
  readonly cpuMsRatioToEcho: number;
}

/** Calls one after the other, and the CPU time that each took on average. */
export interface Round {
  readonly samples: readonly number[];
  readonly cpuMs: number;
}

/** What is sent, and for how many milliseconds in all. */
export interface Load {
  readonly request: Buffer;
  readonly forMs: number;
}

/** Parts of the time: until code that runs often is compiled, which is not measured; one by one; several at once. */
const shares = { warmUp: 0.25, oneByOne: 0.55, atOnce: 0.2 };
/** Rounds of one by one, and how many calls each has room for: many short rounds see the same machine. */
const rounds = { least: 3, most: 15, calls: 4 };
/** Rounds of several at once. */
const bursts = 3;

/** Compares two servers under one load. */
export async function compare(targets: Pair<Target>, { request, forMs }: Load): Promise<Comparison> {
  const each = forMs / 2;
  const warmUp = await alternate(targets, 1, ({ caller }) => timeCalls(caller, request, each * shares.warmUp));
  const callMs = percentile(warmUp.subject.flat(), 50);
  const count = countRounds(each * shares.oneByOne, callMs);
  const measured = await alternate(targets, count, (target) =>
    measureRound(target, { request, forMs: (each * shares.oneByOne) / count }),
  );
  const rates = await alternate(targets, bursts, ({ caller }) =>
    countCalls(caller, request, (each * shares.atOnce) / bursts),
  );
  return compareRounds(measured, rates);
}

function countRounds(forMs: number, callMs: number): number {
  const fitting = Math.floor(forMs / (callMs * rounds.calls));
  return Math.min(Math.max(fitting, rounds.least), rounds.most);
}

/** Measures both so many times, the one that was second before first. */
async function alternate<T>(
  { subject, echo }: Pair<Target>,
  times: number,
  measure: (target: Target) => Promise<T>,
): Promise<Pair<readonly T[]>> {
  const seen = { subject: [] as T[], echo: [] as T[] };
  for (let round = 0; round < times; round += 1) {
    if (round % 2 === 0) seen.subject.push(await measure(subject));
    seen.echo.push(await measure(echo));
    if (round % 2 === 1) seen.subject.push(await measure(subject));
  }
  return seen;
}

async function measureRound({ process, caller }: Target, { request, forMs }: Load): Promise<Round> {
  const before = await process.usage();
  const samples = await timeCalls(caller, request, forMs);
  const after = await process.usage();
  return { samples, cpuMs: (after.cpuMs - before.cpuMs) / samples.length };
}

/** What all rounds came to. */
export function compareRounds(measured: Pair<readonly Round[]>, rates: Pair<readonly number[]>): Comparison {
  const ratio = (value: (round: Round) => number) =>
    median(measured.subject.map((round, index) => value(round) / value(measured.echo[index] ?? round)));
  return {
    subject: summarize(measured.subject, rates.subject),
    echo: summarize(measured.echo, rates.echo),
    p50RatioToEcho: ratio(({ samples }) => percentile(samples, 50)),
    cpuMsRatioToEcho: ratio(({ cpuMs }) => cpuMs),
  };
}

function summarize(all: readonly Round[], rates: readonly number[]): Figures {
  const samples = all.flatMap((round) => round.samples);
  return {
    p50Ms: percentile(samples, 50),
    p99Ms: percentile(samples, 99),
    cpuMs: median(all.map((round) => round.cpuMs)),
    perSecond: median(rates),
  };
}
