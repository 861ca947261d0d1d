import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { goVersion, readPins } from './go-module.ts';
import {
  aigw,
  celcost,
  cli,
  core,
  crdSources,
  egctl,
  envoyGateway,
  kubernetes,
  leaderWorkerSet,
  type Tool,
} from './tools.ts';

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

/** Where everything is that the tests with the real Crossplane need. */
export interface Toolbox {
  readonly core: string;
  readonly cli: string;
  readonly celcost: string;
  readonly crds: string;
}

/** Where everything is that the tests with the real Kubernetes need. */
export interface ClusterToolbox extends Pick<Toolbox, 'cli' | 'crds'> {
  readonly kubernetes: string;
  readonly leaderWorkerSet: string;
}

/** The names of tools that are not installed. */
export interface MissingTools {
  readonly missing: readonly string[];
}

/** The installed tools for the real Crossplane, or the names of those that are missing. */
export function findToolbox(): Toolbox | MissingTools {
  const go = goVersion();
  const toolbox = {
    core: toolPath(core, go),
    cli: toolPath(cli, go),
    celcost: toolPath(celcost, go),
    crds: crdFolder(),
  };
  return orMissing(toolbox, { core: core.binary, cli: cli.binary, celcost: celcost.binary, crds: 'CRDs' });
}

/** The installed tools for the real Kubernetes, or the names of those that are missing. */
export function findClusterToolbox(): ClusterToolbox | MissingTools {
  const go = goVersion();
  const toolbox = {
    kubernetes: toolPath(kubernetes, go),
    leaderWorkerSet: toolPath(leaderWorkerSet, go),
    cli: toolPath(cli, go),
    crds: crdFolder(),
  };
  return orMissing(toolbox, {
    kubernetes: kubernetes.binary,
    leaderWorkerSet: leaderWorkerSet.binary,
    cli: cli.binary,
    crds: 'CRDs',
  });
}

/** The installed tools for both, or the names of those that are missing. */
export function findInstallToolbox(): (Toolbox & ClusterToolbox) | MissingTools {
  const [crossplane, cluster] = [findToolbox(), findClusterToolbox()];
  const missing = [crossplane, cluster].flatMap((box) => ('missing' in box ? box.missing : []));
  if ('missing' in crossplane || 'missing' in cluster) return { missing: [...new Set(missing)] };
  return { ...crossplane, ...cluster };
}

/** The file that pins Envoy by version and hash. */
export const envoyRequirements = join(import.meta.dirname, '../tools/envoy/requirements.txt');

/** The binary in the wheel of Envoy. */
export const envoyInWheel = join('envoy', '_bin', 'envoy');

/** Where the wheel of Envoy is or will be unpacked. */
export function envoyFolder(): string {
  return join(cacheFolder(process.env), `envoy-${shortHash(readFileSync(envoyRequirements, 'utf8'))}`);
}

/** Where everything is that the tests on a real Envoy need. */
export interface GatewayToolbox {
  readonly envoyGateway: string;
  readonly egctl: string;
  readonly aigw: string;
  readonly envoy: string;
}

/** The installed tools for a real Envoy, or the names of those that are missing. */
export function findGatewayToolbox(): GatewayToolbox | MissingTools {
  const go = goVersion();
  const toolbox = {
    envoyGateway: toolPath(envoyGateway, go),
    egctl: toolPath(egctl, go),
    aigw: toolPath(aigw, go),
    envoy: join(envoyFolder(), envoyInWheel),
  };
  return orMissing(toolbox, {
    envoyGateway: envoyGateway.binary,
    egctl: egctl.binary,
    aigw: aigw.binary,
    envoy: 'envoy',
  });
}

function orMissing<Box extends Readonly<Record<keyof Box, string>>>(
  toolbox: Box,
  names: Readonly<Record<keyof Box, string>>,
): Box | MissingTools {
  const parts = Object.keys(names) as (keyof Box)[];
  const missing = parts.filter((part) => !existsSync(toolbox[part]));
  return missing.length > 0 ? { missing: missing.map((part) => names[part]) } : toolbox;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
