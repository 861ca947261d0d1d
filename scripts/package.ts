/** `npm run package`: builds the packages of a release into `dist/package` and prints what it measured. */
import { existsSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { Command } from 'commander';
import { goVersion } from './go-module.ts';
import { type BuiltPackage, buildPackages } from './package/build-packages.ts';
import { debianPackages, fetchLibraries } from './package/fetch-libraries.ts';
import { lockedNode } from './package/fetch-node.ts';
import { sourceRelease } from './package/release.ts';
import { targets } from './package/target.ts';
import { toolPath } from './tool-cache.ts';
import { cli as cliTool } from './tools.ts';

interface PackageFlags {
  readonly repository: string;
  readonly version: string;
  readonly out: string;
  readonly refresh: boolean;
}

const examples = `
Examples:
  npm run package
  npm run package -- --repository registry.example.com/team/modelberth --version v0.1.1

Needs the crossplane command line (npm run tools), and apt-get, dpkg-deb and tar of Debian 12.`;

const source = sourceRelease();

await new Command('npm run package --')
  .description('Build the Configuration and the four Functions, for amd64 and arm64')
  .option('--repository <path>', 'where they will be pushed to', source.repository)
  .option('--version <version>', 'version of the release', source.version)
  .option('--out <folder>', 'where the packages are written to', 'dist/package')
  .option('--refresh', 'ask Debian anew for the libraries of the image', false)
  .addHelpText('after', examples)
  .action(run)
  .parseAsync();

async function run({ repository, version, out, refresh }: PackageFlags): Promise<void> {
  const cli = toolPath(cliTool, goVersion());
  if (!existsSync(cli)) throw new Error('Cannot build packages: no crossplane command line; run "npm run tools"');
  const start = performance.now();
  const built = await buildPackages({ release: { repository, version }, folder: out, cli, refresh, targets });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(formatInputs());
  console.log(formatPackages(built));
  console.log(`\n${built.length} packages of ${repository} ${version} in ${seconds} s. Push them:\n`);
  console.log(formatPush(built, { repository, version }));
}

/** What the bytes depend on beside the sources. */
function formatInputs(): string {
  const rows = targets.map((target) => {
    const libraries = fetchLibraries(target, false).map((path) => basename(path, `_${target.architecture}.deb`));
    return `${target.architecture}: ${target.node} ${lockedNode(target).version}, ${libraries.join(', ')}`;
  });
  return `Made from, beside the sources (${debianPackages.length} packages of Debian each):\n${rows.join('\n')}\n`;
}

function formatPackages(built: readonly BuiltPackage[]): string {
  const rows = built.map(({ path, bytes, digest }) => {
    const size = (bytes / 2 ** 20).toFixed(1);
    return `${basename(path).padEnd(30)} ${size.padStart(6)} MiB  ${digest}`;
  });
  return rows.join('\n');
}

function formatPush(
  built: readonly BuiltPackage[],
  release: { readonly repository: string; readonly version: string },
) {
  const byPackage = new Map<string, string[]>();
  for (const { path } of built) {
    const name = basename(path, '.xpkg').replace(/-(amd64|arm64)$/, '');
    byPackage.set(name, [...(byPackage.get(name) ?? []), relative('.', path)]);
  }
  const commands = [...byPackage].map(([name, files]) => {
    const place = name === 'modelberth' ? 'configuration' : name;
    return `crossplane xpkg push -f ${files.join(',')} ${release.repository}/${place}:${release.version}`;
  });
  return commands.join('\n');
}
