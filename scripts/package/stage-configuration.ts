/**
 * The folder of the Configuration package: `crossplane.yaml`, XRDs, Compositions and the activation policy, with what
 * only a release knows written in: where its Functions are, which version it is, and the image of the evidence Jobs.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Document, isMap, parseDocument, type YAMLMap, YAMLSeq } from 'yaml';
import { InputFields, inputApiVersion, inputKinds } from '../../functions/input.ts';
import { type FunctionName, functionNames } from '../../functions/steps.ts';
import { evidenceImage, functionRepository, installedName, type Release, sourceRelease } from './release.ts';

const root = join(import.meta.dirname, '../..');

/** Writes the folder of the Configuration package of a release. */
export function stageConfiguration(release: Release, folder: string): void {
  write(folder, 'crossplane.yaml', pinFunctions(readYaml('crossplane.yaml'), release));
  write(folder, 'activation.yaml', readFileSync(join(root, 'package/activation.yaml'), 'utf8'));
  for (const file of readdirSync(join(root, 'compositions')).sort()) {
    const definition = join('apis', file.replace(/\.yaml$/, ''), 'definition.yaml');
    write(folder, definition, readFileSync(join(root, definition), 'utf8'));
    const composition = join('compositions', file);
    write(folder, composition, stampComposition(readYaml(composition), release));
  }
}

/** `crossplane.yaml` with the Functions of a release in place of those of the sources. Throws when one is not there. */
export function pinFunctions(meta: Document, release: Release): string {
  const dependencies = meta.getIn(['spec', 'dependsOn']);
  const items = dependencies instanceof YAMLSeq ? dependencies.items.filter(isMap) : [];
  for (const name of functionNames) {
    const source = functionRepository(sourceRelease(), name);
    const dependency = items.find((item) => item.get('package') === source);
    if (dependency === undefined) throw new Error(`Cannot find ${source} under spec.dependsOn of crossplane.yaml`);
    dependency.set('package', functionRepository(release, name));
    dependency.set('version', release.version);
  }
  return String(meta);
}

/** A Composition with what each step is told of the release, and with the names that its Functions get there. */
export function stampComposition(composition: Document, release: Release): string {
  const pipeline = composition.getIn(['spec', 'pipeline']);
  for (const step of pipeline instanceof YAMLSeq ? pipeline.items.filter(isMap) : []) stampStep(step, release);
  return String(composition);
}

function stampStep(step: YAMLMap, release: Release): void {
  const name = functionNames.find((known) => step.getIn(['functionRef', 'name']) === `modelberth-${known}`);
  if (name === undefined) throw new Error(`Cannot stamp step "${step.get('step')}": its function is none of ours`);
  step.setIn(['functionRef', 'name'], installedName(functionRepository(release, name)));
  step.setIn(['input', 'apiVersion'], inputApiVersion);
  step.setIn(['input', 'kind'], inputKinds[name]);
  for (const [field, value] of Object.entries(stampsOf(name, release))) step.setIn(['input', field], value);
}

/** What a release writes into the Input of a step, of the fields that there are. */
function stampsOf(_name: FunctionName, release: Release): Readonly<Record<string, string>> {
  const stamps = { packageVersion: release.version, evidenceImage: evidenceImage(release) };
  return Object.fromEntries(Object.entries(stamps).filter(([field]) => field in InputFields.shape));
}

function readYaml(path: string): Document {
  return parseDocument(readFileSync(join(root, path), 'utf8'));
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
