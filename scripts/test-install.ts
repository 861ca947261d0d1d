/** Runs the tests that install the packages into the real Crossplane on a real API server; one file after the other. */
import { runRealTests } from './run-real-tests.ts';
import { findInstallToolbox } from './tool-cache.ts';

process.exitCode = runRealTests({
  what: 'Crossplane and Kubernetes',
  project: 'install',
  toolbox: findInstallToolbox(),
  args: ['--no-file-parallelism'],
});
