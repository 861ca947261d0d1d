import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { readObjects } from '../read-objects.ts';
import { UnreadableInput } from '../unreadable.ts';
import { Scenario } from './scenario.ts';

/** A scenario with the objects of its claims. */
export interface ReadScenario {
  readonly scenario: Scenario;
  readonly objects: readonly KubernetesObject[];
}

/** Reads a scenario and the claims that it names beside it. Throws `UnreadableInput` with each field and its fix. */
export function readScenario(file: string): ReadScenario {
  const parsed = Scenario.safeParse(readYaml(file));
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the document'}: ${message}`);
    throw new UnreadableInput(`Cannot read scenario "${file}": ${faults.slice(0, 5).join('; ')}`);
  }
  const folder = dirname(file);
  const objects = parsed.data.claims.flatMap((claim) => readObjects(join(folder, claim)));
  return { scenario: parsed.data, objects };
}

function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new UnreadableInput(`Cannot read scenario "${file}": ${why}`);
  }
}
