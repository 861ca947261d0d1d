/** Builds the Crossplane binaries and fetches the CRDs that the real-binary tests use, one after the other, once. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { goVersion, requiredVersion, runGo, wantedGo } from './go-module.ts';
import { installCrds } from './install-crds.ts';
import { toolPath } from './tool-cache.ts';
import { celcost, cli, core, type Tool, versionVariable } from './tools.ts';

const go = goVersion();
if (go === undefined) {
  console.error(
    `Cannot build the Crossplane tools: found no "go" in PATH, want Go ${wantedGo(core.folder)} or newer; install it and run "npm run tools" again`,
  );
  process.exit(1);
}
console.log(go);
// The last is quick: what it imports has been compiled for the CLI.
for (const tool of [core, cli, celcost])
  report(`${tool.binary} ${requiredVersion(tool.folder, tool.module)}`, () => build(tool));
report('CRDs', installCrds);

function report(name: string, install: () => string): void {
  const start = performance.now();
  const path = install();
  console.log(`${name}: ${path} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}

function build(tool: Tool): string {
  const path = toolPath(tool, go);
  if (existsSync(path)) return path;
  const version = requiredVersion(tool.folder, tool.module);
  console.log(`${tool.binary} ${version}: building; minutes where Go's build cache is cold`);
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}`;
  const linkerFlags = `-s -w -X ${versionVariable}=${version}`;
  runGo(tool.folder, ['build', '-trimpath', '-ldflags', linkerFlags, '-o', partial, tool.package]);
  renameSync(partial, path);
  return path;
}
