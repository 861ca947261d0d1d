import { readFileSync } from 'node:fs';
import { UnreadableInput } from '../unreadable.ts';
import { FitCase } from './fit-case.ts';

/** Reads logged starts, one JSON a line; says which line cannot be read. */
export function readCases(path: string): readonly FitCase[] {
  const lines = readText(path).split('\n');
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : [parseCase(line, `${path}:${index + 1}`)]));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UnreadableInput(`Cannot read --cases "${path}": ${(error as Error).message}; name a file of JSON lines`);
  }
}

function parseCase(line: string, place: string): FitCase {
  try {
    const read = FitCase.safeParse(JSON.parse(line));
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw new UnreadableInput(`Cannot read the case at ${place}: ${issue?.path.join('.')}: ${issue?.message}`);
  } catch (error) {
    if (error instanceof UnreadableInput) throw error;
    throw new UnreadableInput(`Cannot read the case at ${place}: it is no JSON; write one object a line`);
  }
}
