import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isCode, isTestCode, type RepositoryFile } from './architecture/repository-file.ts';

/** What is still to come for a lesson: the theme of the work that brings it, and what that is. */
const Outlook = z.strictObject({
  theme: z.enum(['Capacity', 'Engine on the node', 'Rollouts', 'Gateway', 'Evidence', 'Install']),
  what: z.string().min(10),
});

const names = z.array(z.string()).default([]);
const Lesson = z.strictObject({
  /** What the product must do, in short. */
  must: z.string(),
  fields: names,
  conditions: names,
  reasons: names,
  cases: names,
  tests: names,
  open: Outlook.optional(),
  later: Outlook.optional(),
});
export type Lesson = z.output<typeof Lesson>;

/** The lessons of the proofs of concept by id, and what names each today. */
export function readLessons(): ReadonlyMap<string, Lesson> {
  const text = readFileSync(join(import.meta.dirname, 'lessons.yaml'), 'utf8');
  return new Map(Object.entries(z.record(z.string(), Lesson).parse(parse(text))));
}

/**
 * Names of tests, of rows of their tables and of claims that begin with ids of lessons (rules and issues may stand
 * between), by id and without the ids.
 */
export function titlesByLesson(files: readonly RepositoryFile[]): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, string[]>();
  for (const { lesson, title } of files.flatMap(titlesOf)) titles.set(lesson, [...(titles.get(lesson) ?? []), title]);
  return titles;
}

function titlesOf(file: RepositoryFile): readonly { readonly lesson: string; readonly title: string }[] {
  const isTest = isCode(file) && isTestCode(file);
  const isTable = /^test\/claims\/rows\/.*\.yaml$/.test(file.path);
  const pattern = isTable ? /^- name: ()"?((?:[LRS]\d+ )+)(.*?)"?$/gm : /(['"`])((?:[LRS]\d+ )+)([^\n]*?)\1/g;
  const found = isTest || isTable ? [...file.text.matchAll(pattern)] : [];
  return found.flatMap(([, , ids = '', title = '']) => {
    const lessons = ids.split(' ').filter((id) => id.startsWith('L'));
    return lessons.map((lesson) => ({ lesson, title }));
  });
}
