/**
 * Golden cases: `test/render/cases/<case>/<step>/` holds what `crossplane composition render` takes (`xr.yaml`,
 * `observed.yaml`, `required.yaml`, `schemas/*.json`; all but the first optional; and `composition.yaml` where an Input
 * says more than the Composition of the sources) and `expected.yaml`, what comes of it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { isKubernetesObject, isRecord, type KubernetesObject, readString } from '../../domain/kubernetes/object.ts';

export const root = join(import.meta.dirname, '../..');
const casesFolder = join(root, 'test/render/cases');

/** One step of a case: one reconcile of one XR, with the paths of its files. */
export interface RenderCase {
  /** `<case>/<step>` */
  readonly name: string;
  /** What the case shows: the comment in the first line of its `xr.yaml`. */
  readonly title: string;
  readonly xr: KubernetesObject;
  readonly observed: readonly KubernetesObject[];
  readonly required: readonly KubernetesObject[];
  readonly schemas: readonly Readonly<Record<string, unknown>>[];
  readonly paths: CasePaths;
}

export interface CasePaths {
  readonly xr: string;
  readonly observed?: string;
  readonly required?: string;
  readonly schemas?: string;
  readonly expected: string;
  /** The Composition and the XRD of the kind of the XR. */
  readonly composition: string;
  readonly definition: string;
}

const casesOf = new Map<string, readonly RenderCase[]>();

/** Every step of every case, read once, in the order of their names. Throws when one cannot be read, naming file and fix. */
export function readCases(folder = casesFolder): readonly RenderCase[] {
  const known = casesOf.get(folder);
  if (known !== undefined) return known;
  const plurals = readPlurals();
  const cases = stepFolders(folder).map((step) => {
    return readCase(step, relative(folder, step).replaceAll('\\', '/'), plurals);
  });
  casesOf.set(folder, cases);
  return cases;
}

function stepFolders(parent: string): string[] {
  if (!existsSync(parent)) return [];
  const files = readdirSync(parent, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /^[^/\\]+[/\\][^/\\]+[/\\]xr\.yaml$/.test(file))
    .map((file) => join(parent, file, '..'))
    .sort();
}

function readCase(folder: string, name: string, plurals: ReadonlyMap<string, string>): RenderCase {
  const [xr, ...others] = readObjects(join(folder, 'xr.yaml'));
  if (xr === undefined || others.length > 0) throw unreadable(join(folder, 'xr.yaml'), 'want one composite resource');
  const plural = plurals.get(xr.kind);
  if (plural === undefined)
    throw unreadable(join(folder, 'xr.yaml'), `no apis/*/definition.yaml has kind "${xr.kind}"`);
  const paths: CasePaths = {
    xr: join(folder, 'xr.yaml'),
    ...existing(folder, 'observed', 'observed.yaml'),
    ...existing(folder, 'required', 'required.yaml'),
    ...existing(folder, 'schemas', 'schemas'),
    expected: join(folder, 'expected.yaml'),
    composition: existing(folder, 'own', 'composition.yaml').own ?? join(root, 'compositions', `${plural}.yaml`),
    definition: join(root, 'apis', plural, 'definition.yaml'),
  };
  return {
    name,
    title: readTitle(paths.xr),
    xr,
    observed: paths.observed === undefined ? [] : readObjects(paths.observed),
    required: paths.required === undefined ? [] : readObjects(paths.required),
    schemas: paths.schemas === undefined ? [] : readSchemas(paths.schemas),
    paths,
  };
}

function readTitle(path: string): string {
  const [first = ''] = readFileSync(path, 'utf8').split('\n');
  if (!first.startsWith('# ')) throw unreadable(path, 'want a comment in the first line that says what the case shows');
  return first.slice(2);
}

function existing<Name extends string>(folder: string, name: Name, file: string): { readonly [name in Name]?: string } {
  const path = join(folder, file);
  return existsSync(path) ? ({ [name]: path } as { [name in Name]: string }) : {};
}

/** The plural of every kind that has an XRD. */
function readPlurals(): ReadonlyMap<string, string> {
  const plurals = new Map<string, string>();
  for (const definition of readDefinitions()) {
    const kind = readString(definition, ['spec', 'names', 'kind']);
    const plural = readString(definition, ['spec', 'names', 'plural']);
    if (kind !== undefined && plural !== undefined) plurals.set(kind, plural);
  }
  return plurals;
}

/** Every XRD under `apis/`. */
export function readDefinitions(): readonly KubernetesObject[] {
  const folders = readdirSync(join(root, 'apis'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const paths = folders.map(({ name }) => join(root, 'apis', name, 'definition.yaml')).sort();
  return paths.filter((path) => existsSync(path)).flatMap(readObjects);
}

/** The documents of a YAML file. Throws, naming file and line, when one is no Kubernetes object. */
export function readObjects(path: string): KubernetesObject[] {
  const objects: KubernetesObject[] = [];
  for (const document of parseAllDocuments(readFileSync(path, 'utf8'))) {
    if ('errors' in document && document.errors.length > 0) throw unreadable(path, String(document.errors[0]?.message));
    const value: unknown = document.toJS();
    if (value === null) continue;
    if (!isKubernetesObject(value)) throw unreadable(path, 'every document needs apiVersion, kind and metadata');
    objects.push(value);
  }
  return objects;
}

/** What was read of each `expected.yaml`: they are large, and many tests look at all of them. */
const expectations = new Map<string, Readonly<Record<string, unknown>>>();

/** `expected.yaml` as a plain value. */
export function readExpected({ paths }: RenderCase): Readonly<Record<string, unknown>> {
  const known = expectations.get(paths.expected);
  if (known !== undefined) return known;
  const expected: unknown = existsSync(paths.expected) ? parse(readFileSync(paths.expected, 'utf8')) : undefined;
  if (!isRecord(expected))
    throw unreadable(paths.expected, 'want a canonical render; run "npm run generate" to write it');
  expectations.set(paths.expected, expected);
  return expected;
}

function readSchemas(folder: string): Readonly<Record<string, unknown>>[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
}

function unreadable(path: string, why: string): Error {
  return new Error(`Cannot read ${relative(root, path)}: ${why}`);
}
