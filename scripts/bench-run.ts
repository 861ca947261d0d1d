import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FunctionName, functionNames } from '../functions/steps.ts';
import { type FleetRow, fleetSizes, measureFleet } from './bench-fleet.ts';
import { connectCaller } from './bench-load.ts';
import { compare, type Target } from './bench-measure.ts';
import { type BenchProcess, startProcess } from './bench-process.ts';
import type { BenchResult, Cell, Start } from './bench-report.ts';
import { type BenchRequest, buildRequest, type Size, sizeNames } from './bench-requests.ts';
import { sceneTime } from './bench-scene.ts';
import { median } from './bench-statistics.ts';
import { bundle } from './bundle.ts';

/** Starts of the bundle, for the medians of start and memory. */
const starts = 5;
/** Parts of the time for each size: the first warms up the code, which takes some 1,500 calls; the last has long calls. */
const weights: Readonly<Record<Size, number>> = { '6kB': 4, '100kB': 1, '2MB': 2.5 };
/** Parts of the time that are not of the cells: for the fleet, and not planned, as the last calls of a round end after it. */
const parts = { fleet: 0.2, reserve: 0.1 };
const besideScript = {
  echo: fileURLToPath(import.meta.resolve('./bench-echo.ts')),
  raw: fileURLToPath(import.meta.resolve('./bench-raw.ts')),
};

export interface BenchOptions {
  /** How long the whole may take; less than the preparation needs makes the measures short, not wrong. */
  readonly seconds: number;
  readonly say: (progress: string) => void;
}

interface Job {
  readonly function: FunctionName;
  readonly size: Size;
  readonly request: BenchRequest;
}

/** Bundles the functions, builds their requests, and measures each function at each size beside the echo and raw bytes. */
export async function runBench({ seconds, say }: BenchOptions): Promise<BenchResult> {
  const begun = performance.now();
  const untilPart = (part: number) => begun + seconds * 1000 * part;
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const outfile = join(folder, 'main.mjs');
  try {
    await bundle(outfile);
    say('Starting the bundle');
    const start = await measureStart(outfile);
    const jobs = await buildJobs(say);
    const deadline = untilPart(1 - parts.reserve - parts.fleet);
    const cells = await measureJobs({ outfile, jobs, deadline, say });
    const fleet = await measureFleets({ outfile, forMs: seconds * 1000 * parts.fleet, say });
    return { ...start, cells, fleet };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureStart(outfile: string): Promise<Start> {
  const seen: Start[] = [];
  for (let start = 0; start < starts; start += 1) {
    const process = await startFunction(outfile, 'placement');
    const { rssMb, cpuMs } = await process.usage();
    seen.push({ startToListenMs: process.startMs, startCpuMs: cpuMs, rssMb });
    await process.stop();
  }
  const middle = (value: (start: Start) => number) => median(seen.map(value));
  return {
    startToListenMs: middle(({ startToListenMs }) => startToListenMs),
    startCpuMs: middle(({ startCpuMs }) => startCpuMs),
    rssMb: middle(({ rssMb }) => rssMb),
  };
}

/** A function as it ships, with the metrics that its runtime configuration asks for, at the time of the scenes. */
function startFunction(outfile: string, name: FunctionName): Promise<BenchProcess> {
  const anyPort = '127.0.0.1:0';
  const addresses = ['--address', anyPort, '--metrics-address', anyPort];
  return startProcess(outfile, [name, '--insecure', ...addresses, '--now', sceneTime]);
}

async function buildJobs(say: BenchOptions['say']): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  for (const name of functionNames) {
    for (const size of sizeNames) {
      const request = await buildRequest(name, size);
      say(`Built a request of ${request.bytes.length} bytes for ${name}; its answer has ${request.answer.length}`);
      jobs.push({ function: name, size, request });
    }
  }
  return jobs;
}

interface Plan {
  readonly outfile: string;
  readonly jobs: readonly Job[];
  readonly deadline: number;
  readonly say: BenchOptions['say'];
}

async function measureJobs({ outfile, jobs, deadline, say }: Plan): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  for (const name of functionNames) {
    const subject = await connect(startFunction(outfile, name));
    const echo = await connect(startProcess(besideScript.echo, []));
    const raw = await connect(startProcess(besideScript.raw, []));
    for (const job of jobs.filter((candidate) => candidate.function === name)) {
      const forMs = shareOf(job.size, jobs.slice(cells.length)) * (deadline - performance.now());
      say(`Measuring ${name} at ${job.size} for ${(Math.max(0, forMs) / 1000).toFixed(1)} s`);
      await checkAnswer(subject, job);
      const comparison = await compare({ subject, echo, raw }, { request: job.request.bytes, forMs });
      cells.push({ function: name, size: job.size, ...comparison });
    }
    await Promise.all([subject, echo, raw].map(disconnect));
  }
  return cells;
}

/** The share of the time that is left for a job of this size when these are still to come, it among them. */
function shareOf(size: Size, jobs: readonly Job[]): number {
  return weights[size] / jobs.reduce((sum, job) => sum + weights[job.size], 0);
}

interface FleetPlan {
  readonly outfile: string;
  readonly forMs: number;
  readonly say: BenchOptions['say'];
}

async function measureFleets({ outfile, forMs, say }: FleetPlan): Promise<readonly FleetRow[]> {
  const placement = await connect(startFunction(outfile, 'placement'));
  const rows: FleetRow[] = [];
  for (const size of fleetSizes) {
    say(`Measuring a fleet of ${size.clusters} clusters and ${size.replicas} replicas`);
    rows.push(await measureFleet(placement, size, forMs / fleetSizes.length));
  }
  await disconnect(placement);
  return rows;
}

async function connect(starting: Promise<BenchProcess>): Promise<Target> {
  const process = await starting;
  return { process, caller: connectCaller(process.address) };
}

async function disconnect({ process, caller }: Target): Promise<void> {
  caller.close();
  await process.stop();
}

/** The bundle must answer byte for byte what the sources answered when the request was built. */
async function checkAnswer({ caller }: Target, { function: name, size, request }: Job): Promise<void> {
  const answer = await caller.call(request.bytes);
  if (!answer.equals(request.answer))
    throw new Error(`Cannot bench ${name} at ${size}: the bundle answers otherwise than the sources`);
}
