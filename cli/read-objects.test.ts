import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readObjects } from './read-objects.ts';
import { UnreadableInput } from './unreadable.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-objects-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const one = 'apiVersion: v1\nkind: Pod\nmetadata: { name: one }\n';
const two = one.replace('one', 'two');

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function namesIn(path: string): readonly (string | undefined)[] {
  return readObjects(path).map(({ metadata }) => metadata.name);
}

describe('readObjects reads', () => {
  test('every document of a file, and skips empty ones', () => {
    expect(namesIn(write('a.yaml', `---\n${one}---\n# nothing\n---\n${two}---\n`))).toEqual(['one', 'two']);
  });

  test('JSON', () => {
    expect(namesIn(write('a.json', '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"one"}}'))).toEqual(['one']);
  });

  test('every YAML and JSON file below a folder in the order of their names, and no other file', () => {
    write('b.yml', one);
    write('a/z.yaml', two);
    write('README.md', 'no object');
    expect(namesIn(folder)).toEqual(['two', 'one']);
  });

  test('every object of a List, as kubectl prints it', () => {
    const items = [one, two].map((text) => text.trimEnd().replaceAll('\n', '\n    '));
    const list = `apiVersion: v1\nkind: List\nmetadata: {}\nitems:\n${items.map((item) => `  - ${item}\n`).join('')}`;
    expect(namesIn(write('a.yaml', list))).toEqual(['one', 'two']);
  });
});

test('readObjects reads the items of a list of one kind, which leave out what they are', () => {
  const list = '{"apiVersion":"v1","kind":"PodList","metadata":{},"items":[{"metadata":{"name":"one"}}]}';
  expect(readObjects(write('a.json', list))).toEqual([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' } }]);
});

describe('readObjects says which file cannot be read and why when', () => {
  const rows: readonly [string, () => string, RegExp][] = [
    ['there is none', () => join(folder, 'no.yaml'), /no\.yaml": there is no such file or folder$/],
    ['the folder has no such file', () => folder, /": the folder has no \.yaml, \.yml or \.json file$/],
    ['it is no YAML', () => write('a.yaml', 'a: [1\nb: }'), /a\.yaml": .*line \d+/],
    ['it is no object', () => write('a.yaml', '- one\n'), /a\.yaml": a document has no apiVersion, kind or metadata/],
    ['an object has no metadata', () => write('a.yaml', 'apiVersion: v1\nkind: Pod\n'), /a\.yaml": a document has no/],
    ['a key is there twice', () => write('a.yaml', `${one}kind: Node\n`), /a\.yaml": .*unique/],
    ['an alias leads nowhere', () => write('a.yaml', `${one}spec: *missing\n`), /a\.yaml": .*missing/],
    ['aliases would fill the memory', () => write('a.yaml', `${one}${bomb()}`), /a\.yaml": .*alias/i],
    ['a link leads nowhere', () => brokenLink(), /link\.yaml": /],
  ];
  test.each(rows)('%s', (_name, prepare, message) => {
    const path = prepare();
    expect(() => readObjects(path)).toThrow(UnreadableInput);
    expect(() => readObjects(path)).toThrow(message);
    expect(() => readObjects(path)).toThrow(/^Cannot read "/);
  });

  test('a folder is named like a file, which holds what it holds', () => {
    write('a.yaml/b.yaml', one);
    expect(namesIn(folder)).toEqual(['one']);
  });
});

/** Eight levels of lists of ten aliases each: a hundred million items. */
function bomb(): string {
  const levels = Array.from({ length: 8 }, (_, level) => {
    const item = level === 0 ? 'x' : `*l${level - 1}`;
    return `l${level}: &l${level} [${Array.from({ length: 10 }, () => item).join(', ')}]\n`;
  });
  return levels.join('');
}

function brokenLink(): string {
  symlinkSync(join(folder, 'gone'), join(folder, 'link.yaml'));
  return folder;
}
