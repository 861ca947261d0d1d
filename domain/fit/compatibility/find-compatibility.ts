/**
 * Says what is known of a checkpoint on an engine and an accelerator, in three honest states (L5: "supported" is not
 * "loads"): observed to load, claimed by notes, known broken. Only the first is silent.
 */
import type { Accelerator } from '../../hardware/accelerator.ts';
import type { ModelFacts } from '../../model/model-facts.ts';
import { once } from '../../units/once.ts';
import type { EngineBuild } from '../engines/engine-build.ts';
import { CompatibilityRow } from './compatibility-row.ts';
import json from './rows.json' with { type: 'json' };

const rows = once((): readonly CompatibilityRow[] => CompatibilityRow.array().parse(json));

export interface Compatibility {
  readonly state: 'Observed' | 'Claimed' | 'KnownBroken';
  /** The row that says so; undefined for what is only claimed. */
  readonly row?: CompatibilityRow;
}

export interface CompatibilityQuestion {
  readonly facts: ModelFacts;
  readonly accelerator: Accelerator;
  readonly build: EngineBuild;
}

/** The state of a combination: a broken row outweighs an observed one. */
export function findCompatibility(question: CompatibilityQuestion): Compatibility {
  let observed: CompatibilityRow | undefined;
  for (const row of rows()) {
    if (!matches(row, question)) continue;
    if (row.state === 'KnownBroken') return { state: 'KnownBroken', row };
    observed ??= row;
  }
  return observed === undefined ? { state: 'Claimed' } : { state: 'Observed', row: observed };
}

function matches(row: CompatibilityRow, { facts, accelerator, build }: CompatibilityQuestion): boolean {
  if (row.engine !== build.type || !isInRange(row, build.version)) return false;
  if (row.architecture !== undefined && row.architecture !== facts.architecture) return false;
  if (row.method !== undefined && row.method !== (facts.quantisation?.method ?? 'none')) return false;
  return row.computeCapability === undefined || row.computeCapability === accelerator.computeCapability;
}

function isInRange({ from, before }: CompatibilityRow, version: number | undefined): boolean {
  if (version === undefined) return from === undefined && before === undefined;
  return version >= (from ?? 0) && version < (before ?? Number.POSITIVE_INFINITY);
}

/** The refusal of a broken combination, with its row and what works; undefined where nothing is known against it. */
export function explainBroken({ state, row }: Compatibility): string | undefined {
  if (state !== 'KnownBroken' || row === undefined) return undefined;
  const cure = row.works === undefined ? 'take another engine image' : `set spec.engine.image to ${row.works}`;
  return `Known not to work: ${row.says} (${row.link}, read ${row.readOn}); ${cure}`;
}
