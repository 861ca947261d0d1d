/** Who may import whom, as data; everything else is a fault. */
import { posix } from 'node:path';
import { isTestCode, type RepositoryFile } from './repository-file.ts';

/** The top folders, each with those that it may import; tests import anything, and only tests import `test/`. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  apis: ['apis', 'domain'],
  functions: ['functions', 'apis', 'domain'],
  cli: ['cli', 'functions', 'apis', 'domain'],
  bin: ['bin', 'cli'],
  scripts: ['scripts', 'cli', 'functions', 'apis', 'domain'],
};

/** The folders of `domain/`: each may import itself and those before it, never back. */
const domainOrder = [
  'units',
  'kubernetes',
  'hardware',
  'model',
  'shape',
  'fit',
  'placement',
  'engine',
  'workload',
  'evidence',
  'readiness',
  'rollout',
  'gateway',
];

/** The packages that `domain/` may import: they decide nothing and touch nothing outside. */
const domainPackages = ['zod', '@noble/hashes', 'fastest-levenshtein'];

/** The modules that a file imports, as they are written. */
export function importsOf({ text }: RepositoryFile): readonly string[] {
  return [
    ...text.matchAll(/^\s*(?:import|export|\}).*?\bfrom '([^']+)'|^\s*import '([^']+)'|\bimport\('([^']+)'\)/gm),
  ].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
}

/** Every import of a file that the tables do not allow, each with the fix. */
export function lintImports(file: RepositoryFile): readonly string[] {
  if (isTestCode(file)) return [];
  const faults: string[] = [];
  for (const specifier of importsOf(file)) {
    const fault = specifier.startsWith('.') ? lintRelative(file.path, specifier) : lintPackage(file.path, specifier);
    if (fault !== undefined) faults.push(`${file.path} imports ${specifier}: ${fault}`);
  }
  return faults;
}

function lintRelative(path: string, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(path), specifier);
  const from = path.split('/');
  const to = target.split('/');
  const top = from[0] ?? '';
  const allowed = mayImport[top];
  if (allowed !== undefined && !allowed.includes(to[0] ?? '')) {
    return `${top}/ may import ${allowed.join(', ')} only; move what both need to one of them`;
  }
  if (top === 'domain' && to[0] === 'domain') return lintDomain(from[1] ?? '', to[1] ?? '');
  if (top === 'functions' && to[0] === 'functions') return lintFunction(from, to);
  return undefined;
}

function lintDomain(from: string, to: string): string | undefined {
  const [here, there] = [domainOrder.indexOf(from), domainOrder.indexOf(to)];
  if (here === -1 || there === -1)
    return `domain/${here === -1 ? from : to}/ has no place in the order; add it to domainOrder`;
  return there > here ? `domain/${to}/ comes after domain/${from}/; move what both need to the earlier one` : undefined;
}

/** `functions/<name>/` shares with another function only what lies in `functions/` itself. */
function lintFunction(from: readonly string[], to: readonly string[]): string | undefined {
  const isForeign = from.length > 2 && to.length > 2 && from[1] !== to[1];
  return isForeign ? 'a function never imports another one; move what both need to functions/ or domain/' : undefined;
}

function lintPackage(path: string, specifier: string): string | undefined {
  if (!path.startsWith('domain/')) return undefined;
  const isAllowed = domainPackages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  return isAllowed
    ? undefined
    : `domain/ may import ${domainPackages.join(', ')} only; pass what it needs as an argument`;
}
