import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** One command of a gate, as it is typed: an executable of node_modules and its arguments. */
export interface Stage {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

export interface StageResult {
  readonly name: string;
  readonly seconds: number;
  readonly passed: boolean;
  /** What it printed, both streams in the order of their arrival. */
  readonly output: string;
}

const node24 = join(import.meta.dirname, '../bin/node24.js');

/** Runs one stage to its end. As in CI: a missing snapshot is a failure, not a new file. */
export function runStage({ name, command }: Stage): Promise<StageResult> {
  const start = performance.now();
  const chunks: string[] = [];
  return new Promise((resolve) => {
    const end = (passed: boolean) => {
      resolve({ name, passed, seconds: (performance.now() - start) / 1000, output: chunks.join('') });
    };
    const child = spawn(process.execPath, [node24, ...command], { env: { ...process.env, CI: '1' } });
    child.stdout.on('data', (chunk) => chunks.push(String(chunk)));
    child.stderr.on('data', (chunk) => chunks.push(String(chunk)));
    child.on('error', (error) => {
      chunks.push(error.message);
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });
}

/** The stages as a table with their seconds, in the order given. */
export function formatStages(results: readonly StageResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length), 'STAGE'.length);
  const row = (name: string, seconds: string, result: string) =>
    `${name.padEnd(width)}  ${seconds.padStart(7)}  ${result}`;
  const rows = results.map(({ name, seconds, passed }) => row(name, seconds.toFixed(1), passed ? 'passed' : 'FAILED'));
  return [row('STAGE', 'SECONDS', 'RESULT'), ...rows].join('\n');
}
