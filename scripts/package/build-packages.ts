/** The five packages of a release, built by the real `crossplane xpkg build`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionNames } from '../../functions/steps.ts';
import { imageConfig, type Layer, packLayer, sha256, writeImageTarball } from './image-tarball.ts';
import { layOutBundle, layOutRuntime } from './lay-out-image.ts';
import type { Release } from './release.ts';
import { runTool } from './run-tool.ts';
import { stageConfiguration } from './stage-configuration.ts';
import type { Target } from './target.ts';

const root = join(import.meta.dirname, '../..');

/** One file of a release. */
export interface BuiltPackage {
  readonly path: string;
  readonly bytes: number;
  readonly digest: string;
}

export interface BuildOptions {
  readonly release: Release;
  /** Where the packages are written to. */
  readonly folder: string;
  /** The `crossplane` command line. */
  readonly cli: string;
  /** Asks Debian anew which libraries there are. */
  readonly refresh: boolean;
  readonly targets: readonly Target[];
}

/** Builds the Configuration and, for each function and architecture, its Function; in the order of their names. */
export async function buildPackages(options: BuildOptions): Promise<readonly BuiltPackage[]> {
  const { release, folder, cli, refresh, targets } = options;
  const scratch = mkdtempSync(join(tmpdir(), 'modelberth-package-'));
  mkdirSync(folder, { recursive: true });
  try {
    stageConfiguration(release, join(scratch, 'configuration'));
    const built = [build(cli, join(scratch, 'configuration'), join(folder, 'modelberth.xpkg'))];
    const bundleLayer = await packBundle(scratch);
    for (const target of targets) {
      const layers = [packRuntime(scratch, target, refresh), bundleLayer];
      built.push(...buildFunctions({ scratch, folder, cli, version: release.version, target, layers }));
    }
    return built;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

interface FunctionsOf {
  readonly scratch: string;
  readonly folder: string;
  readonly cli: string;
  readonly version: string;
  readonly target: Target;
  readonly layers: readonly Layer[];
}

function buildFunctions({ scratch, folder, cli, version, target, layers }: FunctionsOf): BuiltPackage[] {
  return functionNames.map((name) => {
    const file = `${name}-${target.architecture}`;
    const image = writeImageTarball(join(scratch, file), imageConfig({ name, target, version, layers }), layers);
    const source = join(root, 'functions', name, 'package');
    return build(cli, source, join(folder, `${file}.xpkg`), `--embed-runtime-image-tarball=${image}`);
  });
}

async function packBundle(scratch: string): Promise<Layer> {
  const folder = join(scratch, 'bundle');
  await layOutBundle(folder);
  return packLayer(folder, 'the functions as one file');
}

function packRuntime(scratch: string, target: Target, refresh: boolean): Layer {
  const folder = join(scratch, `runtime-${target.architecture}`);
  layOutRuntime(target, folder, refresh);
  return packLayer(folder, 'Node and the libraries that it is linked to');
}

function build(cli: string, source: string, path: string, ...flags: readonly string[]): BuiltPackage {
  runTool(cli, ['xpkg', 'build', '-f', source, '-o', path, ...flags]);
  return { path, bytes: statSync(path).size, digest: sha256(readFileSync(path)) };
}
