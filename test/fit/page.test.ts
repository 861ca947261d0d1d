import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerRequest } from '../../cli/fit/answer-request.ts';
import { readRequest } from '../../cli/fit/fit-request.ts';
import { printPage } from '../../cli/fit/print-page.ts';

const browser = ['chromium', 'chromium-browser'].find((name) => spawnSync(name, ['--version']).status === 0);
/** A machine without a browser says so; CI installs one, so there the test must run. */
const isAbsent = browser === undefined && process.env.CI === undefined;

test.skipIf(isAbsent)(
  'the page of a fit opens in a headless Chromium without an error, its bars labelled (skipped only where no Chromium is installed)',
  () => {
    const request = readRequest({
      model: 'Qwen/Qwen3.5-35B-A3B',
      accelerator: 'L40S',
      count: '2',
      nodes: '1',
      context: '32768',
      engine: 'vllm@0.30',
      arg: [],
    });
    const file = join(mkdtempSync(join(tmpdir(), 'page-')), 'fit.html');
    writeFileSync(file, printPage(answerRequest(request)));
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--enable-logging=stderr',
      '--dump-dom',
      `file://${file}`,
    ];
    const { stdout, stderr } = spawnSync(browser ?? 'chromium', flags, { encoding: 'utf8' });
    expect(stderr).not.toMatch(/CONSOLE/);
    const labels = [...stdout.matchAll(/aria-label="([^"]+) ([\d.]+) GiB"/g)].map(([, label]) => label);
    expect(labels).toEqual(['weights', 'activation', 'non-torch', 'CUDA graphs', 'KV cache', 'headroom']);
  },
);
