import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, numberOf, sectionOf } from '../../domain/model/config-fields.ts';
import type { ModelFacts } from '../../domain/model/model-facts.ts';
import { readConfig } from '../../domain/model/read-config.ts';
import { UnreadableInput } from '../unreadable.ts';

/** The facts of a checkpoint, and where its bytes come from. */
export interface Checkpoint {
  readonly facts: ModelFacts;
  readonly weightSource: string;
}

/** Reads a local checkpoint: a directory, or its config with the index beside it or named. */
export function readCheckpoint(path: string, indexPath?: string): Checkpoint {
  const configPath = isDirectory(path) ? join(path, 'config.json') : path;
  const facts = readConfig(readJson(configPath));
  const folder = dirname(configPath);
  const index = indexPath ?? join(folder, 'model.safetensors.index.json');
  const weights = existsSync(index) ? weightsOfIndex(index) : weightsOfFile(join(folder, 'model.safetensors'));
  if (weights === undefined)
    return { facts, weightSource: 'unknown: no index and no model.safetensors beside the config' };
  return { facts: { ...facts, weightBytes: weights.bytes }, weightSource: weights.source };
}

interface Weights {
  readonly bytes: number;
  readonly source: string;
}

/** The files that the index lists, where they are there; its own total may be twice the payload (DeepSeek-V3). */
function weightsOfIndex(path: string): Weights | undefined {
  const index = readJson(path);
  const names = [...new Set(Object.values(sectionOf(index, 'weight_map') ?? {}))];
  const files = names.map((name) => join(dirname(path), String(name)));
  if (files.length > 0 && files.every((file) => existsSync(file))) {
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    return { bytes, source: `sizes of the ${files.length} files that the index lists` };
  }
  const total = numberOf(sectionOf(index, 'metadata') ?? {}, 'total_size');
  return total === undefined ? undefined : { bytes: total, source: 'metadata.total_size of the index' };
}

function weightsOfFile(path: string): Weights | undefined {
  return existsSync(path) ? { bytes: statSync(path).size, source: 'size of model.safetensors' } : undefined;
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function readJson(path: string): Config {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Config;
  } catch (error) {
    throw new UnreadableInput(
      `Cannot read "${path}": ${(error as Error).message}; name a checkpoint or its config.json`,
    );
  }
}
