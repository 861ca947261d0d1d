import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the repository: its path from the root, with forward slashes, and its text. */
export interface RepositoryFile {
  readonly path: string;
  readonly text: string;
}

const root = join(import.meta.dirname, '../..');

/** Every file that is committed or would be: those that git tracks, and untracked ones that it does not ignore. */
export function readRepository(): readonly RepositoryFile[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const paths = [...new Set(listed.split('\0'))].filter((path) => path !== '' && isFile(join(root, path)));
  return paths.sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Tells whether a file is code of ours: TypeScript, or the JavaScript that runs on any Node. */
export function isCode({ path }: RepositoryFile): boolean {
  return /\.(ts|js)$/.test(path);
}

/** Tells whether a file is only there for the tests. */
export function isTestCode({ path }: RepositoryFile): boolean {
  return path.startsWith('test/') || path.endsWith('.test.ts');
}
