/**
 * Measures a function beside the echo and raw bytes in the same rounds, one right after the other and in turn first, so
 * that a machine that slows down or is shared slows all. Every ratio is that of one round; of the rounds the median is
 * reported, and of what a call costs also the least, which other work on the machine disturbs least.
 */
import { type Caller, timeCalls, timeCallsAtOnce } from './bench-load.ts';
import type { BenchProcess } from './bench-process.ts';
import { median, percentile } from './bench-statistics.ts';

/** A server under test with a connection to it. */
export interface Target {
  readonly process: BenchProcess;
  readonly caller: Caller;
}

/** A function, and what is measured beside it: the echo of the SDK, and bytes that nobody reads. */
export interface Beside<T> {
  readonly subject: T;
  readonly echo: T;
  readonly raw: T;
}

/** Times in milliseconds and CPU time of the server for one call: of one client, then of 16 at once. */
export interface Figures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
  readonly leastCpuMs: number;
  readonly perSecond: number;
  readonly p50MsOf16: number;
  readonly cpuMsOf16: number;
  /** The most memory that the process had until here, in millions of bytes. */
  readonly peakRssMb: number;
}

export interface Comparison extends Beside<Figures> {
  readonly p50RatioToEcho: number;
  readonly cpuMsRatioToEcho: number;
}

/** The calls of one round, how long they took together, and the CPU time of each on average. */
export interface Round {
  readonly samples: readonly number[];
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRssMb: number;
}

/** What is sent, and for how many milliseconds in all. */
export interface Load {
  readonly request: Buffer;
  readonly forMs: number;
}

type Measure = (caller: Caller, request: Buffer, forMs: number) => Promise<readonly number[]>;

/** Parts of the time: until code that runs often is compiled, which is not measured; one client; 16 at once. */
const shares = { warmUp: 0.45, oneByOne: 0.4, atOnce: 0.15 };
/** Rounds of one client, and how many calls each has room for: many short rounds see the same machine. */
const rounds = { least: 3, most: 15, calls: 4 };
/** Rounds of 16 clients. */
const bursts = 3;

/** Compares three servers under one load. */
export async function compare(targets: Beside<Target>, { request, forMs }: Load): Promise<Comparison> {
  const each = forMs / 3;
  const run = (measure: Measure, share: number, count: number) =>
    inTurn(targets, count, (target) => measureRound(target, measure, { request, forMs: (each * share) / count }));
  const warmUp = await run(timeCalls, shares.warmUp, 1);
  const callMs = percentile(
    warmUp.subject.flatMap(({ samples }) => samples),
    50,
  );
  const count = countRounds(each * shares.oneByOne, callMs);
  return compareRounds(await run(timeCalls, shares.oneByOne, count), await run(timeCallsAtOnce, shares.atOnce, bursts));
}

function countRounds(forMs: number, callMs: number): number {
  const fitting = Math.floor(forMs / (callMs * rounds.calls));
  return Math.min(Math.max(fitting, rounds.least), rounds.most);
}

/** Measures each so many times, forwards and backwards in turn. */
async function inTurn<T>(
  targets: Beside<Target>,
  times: number,
  measure: (target: Target) => Promise<T>,
): Promise<Beside<readonly T[]>> {
  const seen = { subject: [] as T[], echo: [] as T[], raw: [] as T[] };
  const order = ['subject', 'echo', 'raw'] as const;
  for (let round = 0; round < times; round += 1) {
    for (const name of round % 2 === 0 ? order : order.toReversed()) seen[name].push(await measure(targets[name]));
  }
  return seen;
}

/** One round of one server. */
export async function measureRound(
  { process, caller }: Target,
  measure: Measure,
  { request, forMs }: Load,
): Promise<Round> {
  const before = await process.usage();
  const started = performance.now();
  const samples = await measure(caller, request, forMs);
  const wallMs = performance.now() - started;
  const after = await process.usage();
  return { samples, wallMs, cpuMs: (after.cpuMs - before.cpuMs) / samples.length, peakRssMb: after.peakRssMb };
}

/** What all rounds came to. */
export function compareRounds(alone: Beside<readonly Round[]>, atOnce: Beside<readonly Round[]>): Comparison {
  const ratio = (value: (round: Round) => number) =>
    median(alone.subject.map((round, index) => value(round) / value(alone.echo[index] ?? round)));
  return {
    subject: summarize(alone.subject, atOnce.subject),
    echo: summarize(alone.echo, atOnce.echo),
    raw: summarize(alone.raw, atOnce.raw),
    p50RatioToEcho: ratio(({ samples }) => percentile(samples, 50)),
    cpuMsRatioToEcho: ratio(({ cpuMs }) => cpuMs),
  };
}

function summarize(alone: readonly Round[], atOnce: readonly Round[]): Figures {
  const samples = alone.flatMap((round) => round.samples);
  const cpu = alone.map((round) => round.cpuMs);
  return {
    p50Ms: percentile(samples, 50),
    p99Ms: percentile(samples, 99),
    cpuMs: median(cpu),
    leastCpuMs: Math.min(...cpu),
    perSecond: median(atOnce.map((round) => (round.samples.length / round.wallMs) * 1000)),
    p50MsOf16: percentile(
      atOnce.flatMap((round) => round.samples),
      50,
    ),
    cpuMsOf16: median(atOnce.map((round) => round.cpuMs)),
    peakRssMb: Math.max(...[...alone, ...atOnce].map((round) => round.peakRssMb)),
  };
}
