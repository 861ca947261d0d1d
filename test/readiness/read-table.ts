import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const Row = z.strictObject({
  on: z.enum(['ModelReplica', 'ModelDeployment', 'ModelService']),
  condition: z.string(),
  /** Kinds of the objects that the fact comes from. */
  objects: z.array(z.string()).min(1),
  fact: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  /** Golden step that shows it. */
  case: z.string(),
});

const Later = z.strictObject({ on: z.string(), condition: z.string(), object: z.string(), fact: z.string() });

/** The truth table of readiness. */
export function readTable() {
  const text = readFileSync(join(import.meta.dirname, 'table.yaml'), 'utf8');
  return z.strictObject({ rows: z.array(Row), later: z.array(Later) }).parse(parse(text));
}
