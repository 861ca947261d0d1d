/**
 * The root file systems of the image, one for each layer: Node with the libraries that it is linked to, and the bundle.
 * No shell, no package manager, no node_modules; every file is readable by any user. The Dockerfile and `npm run
 * package` lay out the same, so that what is tested here without an engine is what a registry gets.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { bundle } from '../bundle.ts';
import { debianPackages, fetchLibraries } from './fetch-libraries.ts';
import { fetchNode } from './fetch-node.ts';
import { runTool } from './run-tool.ts';
import { type Target, targets } from './target.ts';

/** Libraries of libc6 and libgcc-s1 that Node or the resolver of libc opens. */
const libraries = [
  'libc.so.6',
  'libdl.so.2',
  'libgcc_s.so.1',
  'libm.so.6',
  'libnss_dns.so.2',
  'libnss_files.so.2',
  'libpthread.so.0',
  'libresolv.so.2',
  'librt.so.1',
];

const licences = ['usr/share/doc/gcc-12-base/copyright', 'usr/share/doc/libc6/copyright'];

/** Any user that is not root will do; Crossplane runs functions as 2000. */
const passwd = 'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/:/sbin/nologin\n';

/** Lays out Node and its libraries in a folder. */
export function layOutRuntime(target: Target, folder: string, refresh: boolean): void {
  const unpacked = mkdtempSync(join(tmpdir(), 'modelberth-libraries-'));
  try {
    for (const [index, file] of fetchLibraries(target, refresh).entries()) {
      runTool('dpkg-deb', ['--extract', file, unpacked]);
      // Where scanners look for what an image without a package manager has in it.
      const status = join(folder, 'var/lib/dpkg/status.d', debianPackages[index] ?? basename(file));
      write(status, runTool('dpkg-deb', ['--field', file]));
    }
    copyLibraries(target, unpacked, folder);
  } finally {
    rmSync(unpacked, { recursive: true });
  }
  const node = fetchNode(target);
  copy(join(node, 'bin/node'), join(folder, 'usr/bin/node'));
  copy(join(node, 'LICENSE'), join(folder, 'usr/share/doc/node/LICENSE'));
  write(join(folder, 'etc/passwd'), passwd);
  write(join(folder, 'etc/nsswitch.conf'), 'hosts: files dns\n');
}

/** Lays out the bundle in a folder; the same for every target. */
export async function layOutBundle(folder: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'modelberth-bundle-'));
  await bundle(join(scratch, 'main.mjs'));
  copy(join(scratch, 'main.mjs'), join(folder, 'app/main.mjs'));
  rmSync(scratch, { recursive: true });
}

function copyLibraries({ triplet, loader }: Target, unpacked: string, folder: string): void {
  const from = (path: string) => join(unpacked, path);
  // By its own path: what a program names is an absolute link, which would lead to the loader of this machine.
  copy(from(`lib/${triplet}/${basename(loader)}`), join(folder, loader));
  const standard = `usr/lib/${triplet}/libstdc++.so.6`;
  const paths = [standard, ...libraries.map((name) => `lib/${triplet}/${name}`), ...licences];
  for (const path of paths) copy(from(path), join(folder, path));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** For the Dockerfile: `lay-out-image.ts <architecture> <folder>` lays out the whole image in one folder. */
if (import.meta.main) {
  const [architecture, folder = ''] = process.argv.slice(2);
  const target = targets.find((known) => known.architecture === architecture);
  if (target === undefined) throw new Error(`Cannot lay out an image for "${architecture}": want amd64 or arm64`);
  layOutRuntime(target, folder, false);
  await layOutBundle(folder);
}
