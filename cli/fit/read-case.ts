/** Turns a logged start into the question that the fit can answer, and says which facts the log leaves open. */

import type { StatedSettings } from '../../domain/fit/engine-settings.ts';
import type { EngineBuild } from '../../domain/fit/engines/engine-build.ts';
import { parseBuild } from '../../domain/fit/engines/engine-build.ts';
import type { Accelerator } from '../../domain/hardware/accelerator.ts';
import { findAccelerator, findByMemory, toAccelerator } from '../../domain/hardware/find-accelerator.ts';
import type { CacheFormat, ModelFacts } from '../../domain/model/model-facts.ts';
import { recogniseModel } from '../../domain/model/recognise-model.ts';
import type { ParallelShape } from '../../domain/shape/parallel-shape.ts';
import { type Bytes, gib } from '../../domain/units/bytes.ts';
import type { FitCase } from './fit-case.ts';
import { firstNumber, readFlags } from './read-flags.ts';

export interface CaseQuestion {
  readonly facts?: ModelFacts;
  readonly accelerator?: Accelerator;
  readonly shape: ParallelShape;
  readonly build: EngineBuild;
  /** Memory of the accelerator that was free before the start, where the log says so. */
  readonly freeMemory?: Bytes;
  readonly stated: StatedSettings;
  readonly missing: readonly string[];
}

/** Missing facts that leave some figures standing. */
export const unknownDrafter = 'geometry of the drafter';
export const unknownShape = 'tensor parallel size';

/** Reads a case; missing facts stay missing. */
export function readCase(logged: FitCase): CaseQuestion {
  const facts = readModel(logged);
  const accelerator = readAccelerator(logged);
  const format = readCacheFormat(logged.kv_cache_dtype);
  const stated = readSettings(logged);
  const freeMemory = readFree(logged);
  return {
    ...(facts === undefined ? {} : { facts }),
    ...(accelerator === undefined ? {} : { accelerator }),
    shape: readShape(logged),
    build: parseBuild(logged.engine === 'sglang' ? 'SGLang' : 'vLLM', logged.version ?? undefined),
    ...(freeMemory === undefined ? {} : { freeMemory }),
    stated: {
      ...stated,
      ...(format === undefined || format === 'Unknown' ? {} : { cacheFormat: format }),
    },
    missing: listMissing(logged, facts, accelerator, stated),
  };
}

function listMissing(
  logged: FitCase,
  facts: ModelFacts | undefined,
  accelerator: Accelerator | undefined,
  stated: StatedSettings,
): readonly string[] {
  const { model, kv_cache_dtype: format } = logged;
  return [
    ...(facts === undefined ? [model == null ? 'model' : `geometry of "${model}"`] : []),
    ...(readCacheFormat(format) === 'Unknown' ? [`bytes of KV cache type "${format}"`] : []),
    ...(/d(flash|spark)|eagle/i.test(logged.other_flags ?? '') && stated.drafter === undefined ? [unknownDrafter] : []),
    ...(isSplit(logged, facts, accelerator) ? [unknownShape] : []),
  ];
}

/** A log that counts no accelerators had one, unless one could not even hold the files. */
function isSplit(logged: FitCase, facts: ModelFacts | undefined, accelerator: Accelerator | undefined): boolean {
  if (logged.tp != null || logged.gpu_count != null) return false;
  return accelerator === undefined || (facts?.weightBytes ?? Number.POSITIVE_INFINITY) > accelerator.visibleMemory;
}

function readModel(logged: FitCase): ModelFacts | undefined {
  if (logged.model == null) return undefined;
  const facts = recogniseModel(logged.model)?.facts;
  if (facts === undefined || logged.quantization == null || facts.quantisation !== undefined) return facts;
  // The log says that the weights are quantised and the known files are not: their bytes are those of another copy.
  const { weightBytes: _bytes, ...geometry } = facts;
  const format = formats.find(([pattern]) => pattern.test(logged.quantization ?? ''))?.[1];
  return format === undefined ? { ...geometry, quantisation: unknownFormat } : { ...geometry, quantisation: format };
}

const formats: readonly (readonly [RegExp, { readonly method: string; readonly weightBits: number }])[] = [
  [/nvfp4|modelopt_fp4|^fp4/, { method: 'nvfp4', weightBits: 4 }],
  [/mxfp4/, { method: 'mxfp4', weightBits: 4 }],
  [/fp8|8bit/, { method: 'fp8', weightBits: 8 }],
  [/awq/, { method: 'awq', weightBits: 4 }],
  [/gptq|int4|w4a16/, { method: 'gptq', weightBits: 4 }],
];
/** A format of unknown width: weights are then taken for unquantised, which promises too little, never too much. */
const unknownFormat = { method: 'unknown', weightBits: 16 };

/** The total of the log, else one printed within the name, else that of the catalogue, else the size as it is sold. */
function readAccelerator({ gpu, gpu_total_gib: total }: FitCase): Accelerator | undefined {
  const name = gpu ?? '';
  const visible = total ?? firstNumber(name, /\((\d+\.\d+) GiB\)|^(\d+\.\d+) GiB/);
  const known = findAccelerator(name);
  const found = known === undefined ? findByMemory((visible ?? 0) * gib) : toAccelerator(known);
  const memory = visible === undefined ? soldMemory(name) : visible * gib;
  if (found !== undefined) return visible === undefined ? found : { ...found, visibleMemory: visible * gib };
  if (memory === undefined) return undefined;
  return { name, productName: name, vendor: 'NVIDIA', memory, visibleMemory: memory };
}

/** What the engine sees of the size in a name, at least; undefined where the name tells none. */
function soldMemory(name: string): Bytes | undefined {
  const sold = firstNumber(name, /(?:^|[^\d~])(\d+) ?GB\b/);
  return sold === undefined ? undefined : (/intel/i.test(name) ? 1 : visibleShare) * sold * gib;
}

/** The words in which logs and those who tell of them say how much of the accelerator was free at the start. */
const freeAtStart = [
  /Free memory on device \((\d+\.?\d*)\//,
  /(\d+\.?\d*) of \d+\.?\d* GiB free at start/,
  /free memory before load about (\d+\.?\d*) GiB/,
];

function readFree({ quote, note }: FitCase): Bytes | undefined {
  const text = `${quote ?? ''}; ${note ?? ''}`;
  const free = freeAtStart.map((pattern) => firstNumber(text, pattern)).find((found) => found !== undefined);
  return free === undefined ? undefined : free * gib;
}

/** What the engine sees of a size as it is sold, at least, on the accelerators of the catalogue; Intel hides nothing. */
const visibleShare = 0.97;

/** Whether the memory of the accelerator is only that of its name: enough for a verdict, not for a figure. */
export function isGuessed({ gpu, gpu_total_gib: total }: FitCase): boolean {
  const name = gpu ?? '';
  return total == null && findAccelerator(name) === undefined && !/\d+\.\d+ GiB/.test(name);
}

function readShape(logged: FitCase): ParallelShape {
  const pipeline = logged.pp ?? 1;
  const data = logged.dp ?? 1;
  const count = logged.gpu_count ?? 1;
  const tensor = logged.tp ?? Math.max(1, Math.floor(count / (pipeline * data)));
  const usesExperts = /expert[ _]parallel/i.test(logged.other_flags ?? '') || (logged.ep ?? 1) > 1;
  return {
    nodes: 1,
    acceleratorsPerNode: tensor * pipeline * data,
    tensorParallelSize: tensor,
    pipelineParallelSize: pipeline,
    ...(data > 1 ? { dataParallelSize: data } : {}),
    ...(usesExperts ? { expertParallelSize: logged.ep ?? tensor * data } : {}),
  };
}

const cacheFormats: readonly (readonly [RegExp, CacheFormat])[] = [
  [/^fp8|^float8/, 'fp8'],
  [/^nvfp4$/, 'nvfp4'],
  [/bf16|bfloat16|float16|fp16/, 'bf16'],
];

function readCacheFormat(type: string | null | undefined): CacheFormat | 'Unknown' | undefined {
  if (type == null || type === 'auto') return undefined;
  return cacheFormats.find(([pattern]) => pattern.test(type))?.[1] ?? 'Unknown';
}

function readSettings(logged: FitCase): StatedSettings {
  return {
    gpuMemoryUtilization: logged.gpu_memory_utilization ?? undefined,
    maxModelLen: logged.max_model_len ?? undefined,
    maxNumSeqs: logged.max_num_seqs ?? undefined,
    maxNumBatchedTokens: logged.max_num_batched_tokens ?? undefined,
    eager: logged.enforce_eager ?? undefined,
    ...readFlags(logged.other_flags ?? ''),
  };
}
