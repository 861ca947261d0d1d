/** Plays the published worlds under every policy and writes docs/capacity.md with its pictures; takes some minutes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawChart } from '../cli/simulate/draw-chart.ts';
import { policies } from '../cli/simulate/policies/policies.ts';
import { readScenario } from '../cli/simulate/read-scenario.ts';
import { makeReport, type Report } from '../cli/simulate/report.ts';
import { runSimulation } from '../cli/simulate/run-simulation.ts';
import { createWorldMaker } from '../cli/simulate/worlds/make-world.ts';
import { writePage } from './capacity/write-page.ts';

const root = join(import.meta.dirname, '..');
const worlds = 200;

async function play(name: string): Promise<Report> {
  const read = readScenario(join(root, `test/simulate/${name}.yaml`));
  const maker = createWorldMaker(read);
  const outcomes = await runSimulation({
    maker,
    policies,
    firstSeed: maker.firstSeed,
    seeds: maker.isDrawn ? worlds : 1,
    onWorld: (played, all, policy) => {
      if (played % 50 === 0) console.error(`${name}: ${played} of ${all} worlds played (${policy.name})`);
    },
  });
  const { description, horizonMinutes } = read.scenario;
  return makeReport({ outcomes, description, firstSeed: maker.firstSeed, horizonMinutes });
}

const drawn = await play('drawn');
const asTraced = await play('as-traced');
const scarce = await play('scarce');
const seeds = [await play('seed-1'), await play('seed-2')];
writeFileSync(join(root, 'docs/capacity.svg'), drawChart(drawn));
const day = new Date().toISOString().slice(0, 10);
writeFileSync(join(root, 'docs/capacity.md'), writePage({ drawn, asTraced, scarce, seeds, day }));
