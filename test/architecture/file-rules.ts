/** What holds for each file alone: size, name, no barrel, no clock, no place outside the repository. */
import { isCode, isTestCode, type RepositoryFile } from './repository-file.ts';

/** Most lines of a file, first match wins. */
const maxLines: readonly { readonly files: RegExp; readonly lines: number }[] = [
  { files: /\.test\.ts$/, lines: 500 },
  { files: /^functions\/[^/]+\/compose\.ts$/, lines: 120 },
  { files: /\.(ts|js)$/, lines: 250 },
];

/** Words that say nothing about what is in a file; neither a name nor its last word. */
const emptyWords = /^(utils?|helpers?|common|misc|base|manager|handler|processor|data|info)$/;

/** What reads a clock or chance by itself. */
const impure = /\bDate\.now\(|\bnew Date\(\s*\)|\bMath\.random\(/g;

/** Places outside the repository; written in parts, so that this file does not name them itself. */
const foreign: readonly string[] = [
  ['..', 'shared'].join('/'),
  ['', 'work', ''].join('/'),
  ...[
    ['registry', 'npmjs', 'org'],
    ['proxy', 'golang', 'org'],
    ['sum', 'golang', 'org'],
    ['pypi', 'org'],
    ['files', 'pythonhosted', 'org'],
    ['crates', 'io'],
    ['repo1', 'maven', 'org'],
    ['repo', 'maven', 'apache', 'org'],
    ['deb', 'debian', 'org'],
  ].map((parts) => parts.join('.')),
];

/** Every fault of a file by itself, each with the fix. */
export function lintFile(file: RepositoryFile): readonly string[] {
  const faults = isCode(file) ? [...lintSize(file), ...lintName(file), ...lintBarrel(file), ...lintPurity(file)] : [];
  return [...faults, ...lintForeign(file)].map((fault) => `${file.path} ${fault}`);
}

function lintSize({ path, text }: RepositoryFile): string[] {
  const limit = maxLines.find(({ files }) => files.test(path))?.lines ?? Number.POSITIVE_INFINITY;
  const lines = text.replace(/\n$/, '').split('\n').length;
  return lines > limit ? [`has ${lines} lines, want at most ${limit}; split it by what it answers`] : [];
}

function lintName({ path }: RepositoryFile): string[] {
  const [file = '', ...folders] = path.split('/').reverse();
  const lastWord = file.replace(/\..*$/, '').split('-').at(-1) ?? '';
  const empty = [lastWord, ...folders].find((word) => emptyWords.test(word));
  return empty === undefined ? [] : [`is named "${empty}"; name it for the one thing that it exports`];
}

function lintBarrel({ path, text }: RepositoryFile): string[] {
  const isIndex = /(^|\/)(index|mod)\.(ts|js)$/.test(path);
  const reExports = /^export\s+(type\s+)?(\*|\{[^}]*\})[^;'"]*\sfrom\s/m.test(text);
  return isIndex || reExports ? ['passes on the exports of others; import each from the file that has it'] : [];
}

function lintPurity(file: RepositoryFile): string[] {
  if (!file.path.startsWith('domain/') || isTestCode(file)) return [];
  const found = [...new Set(file.text.match(impure))];
  return found.map((call) => `calls ${call.replace(/\(.*$/, '()')}; take the time or the chance as an argument`);
}

function lintForeign({ text }: RepositoryFile): string[] {
  const named = foreign.filter((place) => text.includes(place));
  return named.map((place) => `names ${place}; the project stands alone, so copy the fact in with its source and date`);
}
