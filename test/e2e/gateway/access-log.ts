import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from './wait-until.ts';

/** One line of the access log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The latest line with these fields, once it is there. Throws when it does not come. */
export async function findLogged(run: string, fields: LogLine): Promise<LogLine> {
  const find = () =>
    readAccessLog(run).findLast((line) => Object.entries(fields).every(([name, value]) => line[name] === value));
  await waitUntil(`the access log has ${JSON.stringify(fields)}`, async () => find() !== undefined);
  return find() ?? {};
}

/** Every line of the access log of a run. */
export function readAccessLog(run: string): readonly LogLine[] {
  const path = join(run, 'access.log');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
