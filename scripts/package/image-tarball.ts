/**
 * An image as one tarball, as `docker save` writes it and `crossplane xpkg build` takes it: layers, a configuration,
 * a manifest. Made by GNU tar and gzip with every time and owner fixed, so that the same files give the same bytes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FunctionName } from '../../functions/steps.ts';
import { runTool } from './run-tool.ts';
import type { Target } from './target.ts';

/** One layer: its compressed bytes, and the digests by which an image names it. */
export interface Layer {
  readonly createdBy: string;
  readonly compressed: Uint8Array;
  /** Digest of the uncompressed tar. */
  readonly diffId: string;
  readonly digest: string;
}

const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar'];

/** Packs a root file system; `createdBy` says of what, to who reads the history of the image. */
export function packLayer(folder: string, createdBy: string): Layer {
  const file = `${folder}.tar`;
  // Whatever the umask of this machine: any user may read, and run what is to be run.
  runTool('tar', [...fixed, '--mode=u=rwX,go=rX', '-cf', file, '-C', folder, '.']);
  const tar = readFileSync(file);
  const compressed = gzipSync(tar, { level: 6 });
  return { createdBy, compressed, diffId: sha256(tar), digest: sha256(compressed) };
}

/** Any non-root user; Crossplane overrides it by another one. */
const user = '65532:65532';

export interface ImageOf {
  readonly name: FunctionName;
  readonly target: Target;
  /** Of the release. */
  readonly version: string;
  readonly layers: readonly Layer[];
}

/** The configuration of the image of one function: what differs between the four is the command alone. */
export function imageConfig({ name, target, version, layers }: ImageOf): object {
  return {
    architecture: target.architecture,
    os: 'linux',
    created: '1970-01-01T00:00:00Z',
    config: {
      User: user,
      Env: ['PATH=/usr/bin', 'NODE_ENV=production', `MODELBERTH_VERSION=${version}`],
      Entrypoint: ['/usr/bin/node', '/app/main.mjs', name],
      ExposedPorts: { '9443/tcp': {} },
      WorkingDir: '/',
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ createdBy }) => ({ created: '1970-01-01T00:00:00Z', created_by: createdBy })),
  };
}

/** Writes the tarball of one function's image and returns its path. `folder` is where its parts are laid out. */
export function writeImageTarball(folder: string, config: object, layers: readonly Layer[]): string {
  mkdirSync(folder, { recursive: true });
  const configText = JSON.stringify(config);
  const configName = `${sha256(Buffer.from(configText)).slice('sha256:'.length)}.json`;
  const files = layers.map(({ digest }) => `${digest.slice('sha256:'.length)}.tar.gz`);
  writeFileSync(join(folder, configName), configText);
  for (const [index, name] of files.entries()) writeFileSync(join(folder, name), layers[index]?.compressed ?? '');
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify([{ Config: configName, RepoTags: null, Layers: files }]));
  const tarball = `${folder}.tar`;
  runTool('tar', [...fixed, '-cf', tarball, '-C', folder, configName, ...files, 'manifest.json']);
  return tarball;
}

/** The digest of bytes, as registries write it. */
export function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
