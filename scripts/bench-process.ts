import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** What a process has used so far, as it says itself: user and system time of all its threads, and its memory in millions of bytes. */
export interface Usage {
  readonly cpuMs: number;
  readonly rssMb: number;
  /** The most that it ever had. */
  readonly peakRssMb: number;
}

export interface BenchProcess {
  /** HOST:PORT that it listens on. */
  readonly address: string;
  /** Milliseconds from the start of the process until it said so. */
  readonly startMs: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/**
 * Answers each message with the usage of the process, and ends it with the bench; loaded before the script, which knows
 * nothing of it.
 */
const reporter = `process.on('disconnect', () => process.exit());
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const peakRssMb = process.resourceUsage().maxRSS * 1024 / 1e6;
  process.send({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 1e6, peakRssMb });
});`;

/** Starts a server and waits until it says on standard error where it listens. Throws when it ends before. */
export async function startProcess(script: string, args: readonly string[]): Promise<BenchProcess> {
  const started = performance.now();
  const child = fork(script, args, {
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(reporter)}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const address = await readAddress(child, script);
  const startMs = performance.now() - started;
  return {
    address,
    startMs,
    usage: async () => {
      const answered = once(child, 'message');
      child.send({});
      const [usage] = (await answered) as [Usage];
      return usage;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function readAddress({ stderr }: ChildProcess, script: string): Promise<string> {
  let output = '';
  for await (const chunk of stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    output += String(chunk);
    const address = /"address":"([^"]+)"/.exec(output)?.[1];
    if (address === undefined) continue;
    stderr?.resume();
    return address;
  }
  throw new Error(`Cannot bench ${script}: it ended before it listened: ${output.slice(-2000)}`);
}
