import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isKubernetesObject, isRecord, type KubernetesObject } from '../domain/kubernetes/object.ts';
import { UnreadableInput } from './unreadable.ts';

/** Reads every object of a YAML or JSON file, or of all such files below a folder. Throws `UnreadableInput`. */
export function readObjects(path: string): readonly KubernetesObject[] {
  if (!isFolder(path)) return readFile(path);
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ya?ml|json)$/.test(name));
  const files = names.map((name) => join(path, name)).filter((file) => !isFolder(file));
  if (files.length === 0) throw unreadable(path, 'the folder has no .yaml, .yml or .json file');
  return files.sort().flatMap(readFile);
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw unreadable(path, 'there is no such file or folder');
  return found.isDirectory();
}

function readFile(path: string): readonly KubernetesObject[] {
  return parseFile(path).flatMap((value) => {
    if (value === null) return [];
    const items = isRecord(value) && value.kind === 'List' && Array.isArray(value.items) ? value.items : [value];
    return items.map((item) => {
      if (isKubernetesObject(item)) return item;
      throw unreadable(path, 'a document has no apiVersion, kind or metadata; every document is one Kubernetes object');
    });
  });
}

function parseFile(path: string): readonly unknown[] {
  try {
    return parseAllDocuments(readFileSync(path, 'utf8'), { prettyErrors: true }).map((document) => {
      const [error] = 'errors' in document ? document.errors : [];
      if (error !== undefined) throw error;
      return document.toJS() as unknown;
    });
  } catch (error) {
    throw unreadable(path, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

function unreadable(path: string, why: string): UnreadableInput {
  return new UnreadableInput(`Cannot read "${path}": ${why}`);
}
