import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { goVersion, readPins } from './go-module.ts';
import { celcost, cli, core, crdSources, type Tool } from './tools.ts';

/** The folder that outlives a clone: `$MODELBERTH_CACHE`, else the user's cache folder. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const { MODELBERTH_CACHE: own, XDG_CACHE_HOME: xdg } = environment;
  if (own !== undefined && own !== '') return own;
  return join(xdg === undefined || xdg === '' ? join(homedir(), '.cache') : xdg, 'modelberth');
}

/** Where the binary of a tool is or will be: another version of it, or of Go, has another place. */
export function toolPath(tool: Tool, go: string | undefined): string {
  const key = shortHash(`${readPins(tool.folder)}\n${go ?? ''}`);
  return join(cacheFolder(process.env), `${tool.folder}-${key}`, tool.binary);
}

/** The folder that holds the CRD files, one beside the other. */
export function crdFolder(): string {
  return join(cacheFolder(process.env), `crds-${shortHash(`${readPins('crds')}\n${JSON.stringify(crdSources)}`)}`);
}

/** Where everything is that the real-binary tests need. */
export interface Toolbox {
  readonly core: string;
  readonly cli: string;
  readonly celcost: string;
  readonly crds: string;
}

/** The installed tools, or the names of those that are missing. */
export function findToolbox(): Toolbox | { readonly missing: readonly string[] } {
  const go = goVersion();
  const toolbox: Toolbox = {
    core: toolPath(core, go),
    cli: toolPath(cli, go),
    celcost: toolPath(celcost, go),
    crds: crdFolder(),
  };
  const names: Readonly<Record<keyof Toolbox, string>> = {
    core: core.binary,
    cli: cli.binary,
    celcost: celcost.binary,
    crds: 'CRDs',
  };
  const missing = (['core', 'cli', 'celcost', 'crds'] as const).filter((part) => !existsSync(toolbox[part]));
  return missing.length > 0 ? { missing: missing.map((part) => names[part]) } : toolbox;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
