import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const sdk = new URL('node_modules/@crossplane-org/function-sdk-typescript/', root);

/** The package of each import that is no path. */
const imports = /(?:from|import\(|import) ?['"]((?:node:|@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^'"]*)?['"]/g;

/** The packages that the sources below a folder import, without Node's own. */
function importedPackages(folder: URL, extension: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = names.filter(
    (name) => name.endsWith(extension) && !name.endsWith(`.test${extension}`) && !name.startsWith('vitest'),
  );
  expect(sources.length).toBeGreaterThan(0);
  const packages = new Set<string>();
  for (const name of sources) {
    const text = readFileSync(new URL(name, folder), 'utf8').replace(/^ \*.*$/gm, '');
    for (const [, from = ''] of text.matchAll(imports)) if (!isBuiltin(from)) packages.add(from);
  }
  return [...packages].sort();
}

function declared(folder: URL): string[] {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  return Object.keys(dependencies);
}

test('the SDK imports a package that it does not declare', () => {
  const imported = importedPackages(new URL('dist/', sdk), '.js');
  expect(imported).toContain('@grpc/grpc-js');
  expect(imported.filter((name) => !declared(sdk).includes(name))).toEqual(['@bufbuild/protobuf']);
});

test.each(['apis', 'cli', 'domain', 'functions'])(
  'every package that %s/ imports is a declared dependency of ours',
  (folder) => {
    const imported = importedPackages(new URL(`${folder}/`, root), '.ts');
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((name) => !declared(root).includes(name))).toEqual([]);
  },
);

test('the package that the SDK forgets is declared here, where it is found from the SDK too', () => {
  expect(declared(root)).toContain('@bufbuild/protobuf');
  expect(fileURLToPath(import.meta.resolve('@bufbuild/protobuf/wire'))).toContain('/node_modules/@bufbuild/protobuf/');
});
