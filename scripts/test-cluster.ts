/** Runs the tests that need a real Kubernetes; its files share one cluster and two cores, so they run one by one. */
import { runRealTests } from './run-real-tests.ts';
import { findClusterToolbox } from './tool-cache.ts';

process.exitCode = runRealTests({
  what: 'Kubernetes',
  project: 'cluster',
  toolbox: findClusterToolbox(),
  args: ['--no-file-parallelism'],
});
