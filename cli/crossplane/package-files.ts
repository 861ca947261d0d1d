import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  isKubernetesObject,
  isRecord,
  type KubernetesObject,
  readList,
  readPath,
  readString,
} from '../../domain/kubernetes/object.ts';

const root = join(import.meta.dirname, '../..');

/** What the package installs for one kind: its Composition and the schema that the API server would keep. */
export interface InstalledKind {
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly composition: KubernetesObject;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Every kind of the package by name, read from `apis/` and `compositions/`. */
export function readInstalledKinds(): ReadonlyMap<string, InstalledKind> {
  const kinds = new Map<string, InstalledKind>();
  for (const file of readdirSync(join(root, 'compositions')).sort()) {
    const composition = readYaml(join(root, 'compositions', file));
    const definition = readYaml(join(root, 'apis', file.replace(/\.yaml$/, ''), 'definition.yaml'));
    const kind = readString(composition, ['spec', 'compositeTypeRef', 'kind']) ?? '';
    const [version] = readList(definition, ['spec', 'versions']);
    const schema = readPath(version, ['schema', 'openAPIV3Schema']);
    const isNamespaced = readString(definition, ['spec', 'scope']) === 'Namespaced';
    kinds.set(kind, { kind, isNamespaced, composition, schema: isRecord(schema) ? schema : {} });
  }
  return kinds;
}

function readYaml(path: string): KubernetesObject {
  const value: unknown = parse(readFileSync(path, 'utf8'));
  if (!isKubernetesObject(value)) throw new Error(`Cannot read ${path}: it is no Kubernetes object`);
  return value;
}
