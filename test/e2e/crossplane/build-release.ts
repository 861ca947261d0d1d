/** Builds the packages of one release for all files of the project `install`, and runs the registry that they go to. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildPackages } from '../../../scripts/package/build-packages.ts';
import { type Release, sourceRelease } from '../../../scripts/package/release.ts';
import { runTool } from '../../../scripts/package/run-tool.ts';
import { targets } from '../../../scripts/package/target.ts';
import { readToolbox } from '../../crossplane/toolbox.ts';
import { startRegistry } from './registry.ts';

export interface BuiltRelease {
  readonly release: Release;
  /** HOST:PORT of the registry. */
  readonly registry: string;
  /** Where the packages are. */
  readonly packages: string;
  readonly digests: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly release: BuiltRelease;
  }
}

/** Runs before the first test file of the project; what it returns runs after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'modelberth-release-'));
  const registry = await startRegistry();
  const release = { ...sourceRelease(), repository: `${registry.host}/modelberth` };
  const start = performance.now();
  const { cli } = readToolbox();
  const built = await buildPackages({ release, folder, cli, refresh: false, targets });
  console.log(`${built.length} packages built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  const digests = Object.fromEntries(built.map(({ path, digest }) => [path.slice(folder.length + 1), digest]));
  project.provide('release', { release, registry: registry.host, packages: folder, digests });
  return async () => {
    await registry.stop();
    rmSync(folder, { recursive: true });
  };
}

/** Unpacks the layers of a package's image as an engine would; the layer with the package's own YAML is none of them. */
export function unpackImage(xpkg: string, root: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'modelberth-image-'));
  runTool('tar', ['-xf', xpkg, '-C', scratch]);
  const [image] = JSON.parse(readFileSync(join(scratch, 'manifest.json'), 'utf8'));
  mkdirSync(root, { recursive: true });
  for (const layer of image.Layers) {
    const listed = runTool('tar', ['-tzf', join(scratch, layer)]);
    if (!listed.includes('package.yaml')) runTool('tar', ['-xzf', join(scratch, layer), '-C', root]);
  }
  rmSync(scratch, { recursive: true });
}
