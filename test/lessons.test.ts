import { describe, expect, test } from 'vitest';
import { conditionTypes, reasons } from '../domain/kubernetes/condition.ts';
import { isRecord, readList, readPath, readString } from '../domain/kubernetes/object.ts';
import { readRepository } from './architecture/repository-file.ts';
import { type Lesson, readLessons, titlesByLesson } from './lessons.ts';
import { readCases, readDefinitions, readExpected } from './render/read-cases.ts';

const lessons = readLessons();
const ids = Array.from({ length: 47 }, (_, index) => `L${index + 1}`);
const titles = titlesByLesson(readRepository());
const cases = readCases();
const caseNames = cases.map(({ name }) => name);
const fields = new Set(readDefinitions().flatMap(fieldsOf));

/** Every field of a kind: `ModelService spec.routes[].weight`. */
function fieldsOf(definition: unknown): readonly string[] {
  const kind = readString(definition, ['spec', 'names', 'kind']);
  const [version] = readList(definition, ['spec', 'versions']);
  return pathsOf(readPath(version, ['schema', 'openAPIV3Schema']), '').map((path) => `${kind} ${path}`);
}

function pathsOf(schema: unknown, path: string): readonly string[] {
  if (!isRecord(schema)) return [];
  const own = path === '' || path.endsWith(']') ? [] : [path];
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const inner = properties.flatMap(([name, child]) => pathsOf(child, path === '' ? name : `${path}.${name}`));
  return [...own, ...inner, ...pathsOf(schema.items, `${path}[]`)];
}

/** Everything that an entry names and that does not exist, with how many names it has. */
function judge(id: string, lesson: Lesson): { readonly named: number; readonly lost: readonly string[] } {
  const carried = titles.get(id) ?? [];
  const known: readonly (readonly [readonly string[], (name: string) => boolean])[] = [
    [lesson.fields, (name) => fields.has(name)],
    [lesson.conditions, (name) => Object.hasOwn(conditionTypes, name)],
    [lesson.reasons, (name) => Object.hasOwn(reasons, name)],
    [lesson.cases, (name) => caseNames.includes(name)],
    [lesson.tests, (name) => carried.some((title) => title.startsWith(name))],
  ];
  return {
    named: known.reduce((sum, [list]) => sum + list.length, 0),
    lost: known.flatMap(([list, exists]) => list.filter((name) => !exists(name))),
  };
}

test('L44 every lesson has an entry, and each entry names something or says what it waits for', () => {
  expect([...lessons.keys()]).toEqual(ids);
  const silent = [...lessons].filter(([id, lesson]) => judge(id, lesson).named > 0 === (lesson.later !== undefined));
  expect(silent.map(([id]) => id)).toEqual([]);
});

describe.each([...lessons])('lesson %s', (id, lesson) => {
  test('names only fields, conditions, reasons, cases and tests that exist', () => {
    expect(judge(id, lesson).lost).toEqual([]);
  });

  test('says "later" only while no test names it', () => {
    expect(lesson.later === undefined ? [] : (titles.get(id) ?? [])).toEqual([]);
  });

  test('says "open" only beside what is there', () => {
    expect(lesson.open !== undefined && lesson.later !== undefined).toBe(false);
  });
});

test('three lessons have nothing yet, and each of the others has a test or a golden case', () => {
  const later = [...lessons].filter(([, { later: outlook }]) => outlook !== undefined);
  expect(later.map(([id]) => id)).toEqual(['L34', 'L35', 'L36']);
  const unproved = [...lessons].filter(
    ([, { tests, cases: golden, later: outlook }]) => outlook === undefined && tests.length + golden.length === 0,
  );
  expect(unproved.map(([id]) => id)).toEqual([]);
});

test('L43 everything that a golden case composes has the label by which one command finds it', () => {
  const composed = cases.flatMap((renderCase) =>
    readList(readExpected(renderCase), ['composed']).map((object) => ({ name: renderCase.name, object })),
  );
  const bare = composed.filter(({ object }) => {
    return readString(object, ['metadata', 'labels', 'app.kubernetes.io/managed-by']) !== 'modelberth';
  });
  expect(bare.map(({ name, object }) => `${name}: ${readString(object, ['kind'])}`)).toEqual([]);
  expect(composed.length).toBeGreaterThan(100);
});

test('titlesByLesson reads every id before a title, in tests and in tables of claims only', () => {
  const text = "test('L1 S2 L30 it holds', () => {}); // L5 is not named by a comment";
  const row = '- name: L7 the cluster is changed\n';
  const files = [
    { path: 'a.test.ts', text },
    { path: 'a.ts', text: "export const a = 'L9 b';" },
    { path: 'test/claims/rows/a.yaml', text: row },
  ];
  expect([...titlesByLesson(files)]).toEqual([
    ['L1', ['it holds']],
    ['L30', ['it holds']],
    ['L7', ['the cluster is changed']],
  ]);
});
