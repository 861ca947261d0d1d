/** Builds the binaries and fetches the CRDs and Envoy that the real-binary tests use, one after the other, once. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { goVersion, moduleSource, requiredVersion, runGo, wantedGo } from './go-module.ts';
import { installCrds } from './install-crds.ts';
import { installEnvoy } from './install-envoy.ts';
import { toolPath } from './tool-cache.ts';
import { aigw, celcost, cli, core, egctl, envoyGateway, kubernetes, leaderWorkerSet, type Tool } from './tools.ts';

const go = goVersion();
if (go === undefined) {
  console.error(
    `Cannot build the tools of the tests: found no "go" in PATH, want Go ${wantedGo(core.folder)} or newer; install it and run "npm run tools" again`,
  );
  process.exit(1);
}
console.log(go);
// Some are quick: what they import has been compiled for the one before.
for (const tool of [core, cli, celcost, kubernetes, leaderWorkerSet, envoyGateway, egctl, aigw])
  report(`${tool.binary} ${requiredVersion(tool.folder, tool.module)}`, () => build(tool));
report('CRDs', installCrds);
report('Envoy', installEnvoy);

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
  // Not copied: a file of the module cache is read-only, and a second try would not replace it.
  for (const file of tool.files ?? [])
    writeFileSync(
      join(dirname(path), basename(file)),
      readFileSync(join(moduleSource(tool.folder, tool.module), file)),
    );
  const partial = `${path}.${process.pid}`;
  const stamps = tool.versionVariables.map((variable) => `-X ${variable}=${version}`);
  const flags = ['-trimpath', '-ldflags', ['-s', '-w', ...stamps].join(' ')];
  if (tool.isBuiltQuickly === true) flags.push('-gcflags=all=-l');
  runGo(tool.folder, ['build', ...flags, '-o', partial, tool.package]);
  renameSync(partial, path);
  return path;
}
