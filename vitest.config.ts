import { defineConfig } from 'vitest/config';
import { closingLine } from './scripts/closing-line.ts';

/** Needs a bundle, sockets or processes of its own, or renders every case many times: not in the fast gate. */
const slow = [
  'test/bundle/**/*.test.ts',
  'test/sdk-defects/**/*.test.ts',
  'cli/explain/explain-command.test.ts',
  'cli/render/render-command.test.ts',
  'functions/serve-command.test.ts',
  'functions/wire/struct-agrees.test.ts',
  'test/fields/fields-act.test.ts',
  'test/fit/page.test.ts',
  'test/render/every-field.test.ts',
  'test/render/nothing-is-lost.test.ts',
];
/** Needs the Crossplane binaries. */
const crossplane = ['test/crossplane/**/*.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default', closingLine],
    projects: [
      {
        test: {
          name: 'fast',
          include: ['{apis,bin,cli,domain,functions,scripts,test}/**/*.test.ts'],
          exclude: [...slow, ...crossplane],
          // No test mocks a module, so files may share them: half the processor time of the gate.
          isolate: false,
          // Seconds of work on a machine that has other work too.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'slow', include: slow, testTimeout: 30_000, hookTimeout: 60_000 } },
      {
        test: {
          name: 'crossplane',
          include: crossplane,
          testTimeout: 60_000,
          // One hook judges every object of every golden case.
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
