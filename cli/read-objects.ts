import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isKubernetesObject, isRecord, type KubernetesObject } from '../domain/kubernetes/object.ts';
import { readStandardInput } from './read-standard-input.ts';
import { UnreadableInput } from './unreadable.ts';

/** Stands for standard input in the place of a path. */
export const standardInput = '-';

/**
 * Reads every object of a YAML or JSON file, of all such files below a folder, or of standard input. Lists count as
 * what they hold. Throws `UnreadableInput`.
 */
export function readObjects(path: string): readonly KubernetesObject[] {
  if (path === standardInput) return readFile(path);
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
    return itemsOf(value).map((item) => {
      if (isKubernetesObject(item)) return item;
      throw unreadable(path, 'a document has no apiVersion, kind or metadata; every document is one Kubernetes object');
    });
  });
}

/** The items of a list, as kubectl prints it or as the API server does; they may leave out what the list says of them. */
function itemsOf(value: unknown): readonly unknown[] {
  if (!isRecord(value) || typeof value.kind !== 'string' || !value.kind.endsWith('List')) return [value];
  const { apiVersion, kind, items } = value;
  if (!Array.isArray(items)) return [value];
  const implied = kind === 'List' ? {} : { apiVersion, kind: kind.replace(/List$/, '') };
  return items.map((item) => (isRecord(item) ? { ...implied, ...item } : item));
}

function parseFile(path: string): readonly unknown[] {
  try {
    return parseAllDocuments(readText(path), { prettyErrors: true }).map((document) => {
      const [error] = 'errors' in document ? document.errors : [];
      if (error !== undefined) throw error;
      return document.toJS() as unknown;
    });
  } catch (error) {
    throw unreadable(path, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

function readText(path: string): string {
  return path === standardInput ? readStandardInput() : readFileSync(path, 'utf8');
}

function unreadable(path: string, why: string): UnreadableInput {
  return new UnreadableInput(`Cannot read ${path === standardInput ? 'standard input' : `"${path}"`}: ${why}`);
}
