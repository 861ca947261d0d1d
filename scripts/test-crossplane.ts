/** Runs the tests that need the real Crossplane. */
import { runRealTests } from './run-real-tests.ts';
import { findToolbox } from './tool-cache.ts';

process.exitCode = runRealTests({ what: 'Crossplane', project: 'crossplane', toolbox: findToolbox() });
