/** Runs the tests on a real Envoy. Each gateway has a network of its own, which not every machine can make. */
import { spawnSync } from 'node:child_process';
import { runRealTests } from './run-real-tests.ts';
import { findGatewayToolbox } from './tool-cache.ts';

const toolbox = findGatewayToolbox();
const programs = ['unshare', 'nsenter', 'ip'].filter(
  (program) => spawnSync(program, ['--version']).error !== undefined,
);
const missing = [...('missing' in toolbox ? toolbox.missing : []), ...programs];

process.exitCode = runRealTests({
  what: 'Envoy',
  project: 'gateway',
  toolbox: missing.length > 0 ? { missing } : toolbox,
  // Three gateways and a translator side by side: they mostly wait for streams, so two cores are enough.
  args: ['--max-workers=3'],
});
