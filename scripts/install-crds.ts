import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requiredVersion, runGo } from './go-module.ts';
import { crdFolder } from './tool-cache.ts';
import { type CrdSource, crdSources } from './tools.ts';

/** Puts the CRD files into the cache; returns the folder. Throws when a module or a file of it is not to be had. */
export function installCrds(): string {
  const folder = crdFolder();
  if (existsSync(folder)) return folder;
  const sourceFolders = downloadModules();
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  for (const source of crdSources) {
    for (const file of source.files) writeFileSync(join(partial, file), readCrd(source, sourceFolders, file));
  }
  renameSync(partial, folder);
  return folder;
}

/** Downloads every module in the version of `tools/crds/go.mod`, checked against its `go.sum`. */
function downloadModules(): ReadonlyMap<string, string> {
  const modules = crdSources.map(({ module }) => `${module}@${requiredVersion('crds', module)}`);
  const printed = runGo('crds', ['mod', 'download', '-json', ...modules]);
  const downloads: { Path: string; Dir: string }[] = JSON.parse(`[${printed.replace(/\n}\n{/g, '\n},\n{')}]`);
  return new Map(downloads.map(({ Path: path, Dir: folder }) => [path, folder]));
}

/** A CRD file without the lines that are a Helm template: cert-manager has some in `metadata`. */
function readCrd(source: CrdSource, sourceFolders: ReadonlyMap<string, string>, file: string): string {
  const path = join(sourceFolders.get(source.module) ?? '', source.folder, file);
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => !line.includes('{{')).join('\n');
}
