import { defineConfig } from 'vitest/config';
import { closingLine } from './scripts/closing-line.ts';

/** Needs a bundle, sockets or processes of its own, or renders every case many times: not in the fast gate. */
const slow = [
  'test/all-rollouts.test.ts',
  'test/bundle/**/*.test.ts',
  'test/sdk-defects/**/*.test.ts',
  'cli/explain/explain-command.test.ts',
  'cli/plan/plan-command.test.ts',
  'cli/probe/probe-command.test.ts',
  'cli/render/render-command.test.ts',
  'functions/gateway/many-services.test.ts',
  'functions/serve-command.test.ts',
  'functions/wire/struct-agrees.test.ts',
  'test/evidence/**/*.test.ts',
  'test/docs/commands-run.test.ts',
  'test/fields/fields-act.test.ts',
  'test/fit/page.test.ts',
  'test/plan/**/*.test.ts',
  'test/readiness/table.test.ts',
  'test/gitops/health.test.ts',
  'test/render/every-field.test.ts',
  'test/render/nothing-is-lost.test.ts',
  'scripts/bench-planning/**/*.test.ts',
  'test/simulate/**/*.test.ts',
  'test/render/other-renderer.test.ts',
];
/** Needs the Crossplane binaries. */
const crossplane = ['test/crossplane/**/*.test.ts'];
/** Needs the Kubernetes binaries. */
const cluster = ['test/e2e/cluster/**/*.test.ts'];
/** Needs both, and builds the packages. */
const install = ['test/e2e/crossplane/**/*.test.ts'];
/** Needs a real Envoy, Envoy Gateway and the AI gateway. */
const gateway = ['test/e2e/gateway/**/*.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default', closingLine],
    // All cores: by default one is left out, which is half of two.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'fast',
          include: ['{apis,bin,cli,domain,functions,scripts,test}/**/*.test.ts'],
          exclude: [...slow, ...crossplane, ...cluster, ...install, ...gateway],
          // No test mocks a module, so files may share them: half the processor time of the gate.
          isolate: false,
          // Seconds of work, on a machine that may have much other work too.
          testTimeout: 90_000,
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
      {
        test: {
          name: 'cluster',
          include: cluster,
          // One cluster for all files.
          globalSetup: 'test/e2e/cluster/start-cluster.ts',
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'install',
          include: install,
          globalSetup: 'test/e2e/crossplane/build-release.ts',
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'gateway',
          include: gateway,
          // Streams of 70 seconds, and gateways that start in 20.
          testTimeout: 120_000,
          hookTimeout: 150_000,
        },
      },
    ],
  },
});
