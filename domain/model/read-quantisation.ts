import { type Config, numberOf, sectionOf, textOf } from './config-fields.ts';
import type { ModelFacts } from './model-facts.ts';

type Quantisation = NonNullable<ModelFacts['quantisation']>;

/** Methods by the words of a config, most telling first; bits where the method fixes them. */
const methods: readonly (readonly [pattern: RegExp, method: string, bits: number | undefined])[] = [
  [/mxfp4/, 'mxfp4', 4],
  [/nvfp4/, 'nvfp4', 4],
  [/awq/, 'awq', undefined],
  [/gptq/, 'gptq', undefined],
  [/pack-quantized|int-quantized|int4|int8/, 'compressed-tensors', undefined],
  [/fp8|float8|e4m3|float-quantized/, 'fp8', 8],
  [/mixed_precision/, 'nvfp4', 4],
];

/** `quantization_config` of a checkpoint; undefined where it has none, or none that is known. */
export function readQuantisation(config: Config, text: Config): Quantisation | undefined {
  const section = sectionOf(config, 'quantization_config') ?? sectionOf(text, 'quantization_config');
  if (section === undefined) return undefined;
  const words = JSON.stringify(section).toLowerCase();
  const found = methods.find(([pattern]) => pattern.test(words));
  if (found === undefined) return undefined;
  const [, method, fixedBits] = found;
  const bits = fixedBits ?? numberOf(section, 'bits', 'w_bit') ?? bitsOfGroups(words) ?? 4;
  const blockSize = blockOf(section);
  const cachePrecision = cacheOf(section);
  return {
    method,
    weightBits: bits,
    ...(blockSize === undefined ? {} : { blockSize }),
    ...(cachePrecision === undefined ? {} : { cachePrecision }),
  };
}

function bitsOfGroups(words: string): number | undefined {
  const bits = /"num_bits":(\d+)/.exec(words)?.[1];
  return bits === undefined ? undefined : Number(bits);
}

function blockOf(section: Config): number | undefined {
  const block = section.weight_block_size;
  return Array.isArray(block) && typeof block[0] === 'number' ? block[0] : undefined;
}

/** What a cache of type auto becomes: compressed-tensors has a scheme, modelopt an algorithm. */
function cacheOf(section: Config): Quantisation['cachePrecision'] {
  const algorithm = textOf(section, 'kv_cache_quant_algo')?.toLowerCase();
  if (algorithm?.includes('nvfp4') === true) return 'nvfp4';
  if (algorithm?.includes('fp8') === true) return 'fp8';
  const scheme = sectionOf(section, 'kv_cache_scheme');
  return scheme !== undefined && numberOf(scheme, 'num_bits') === 8 ? 'fp8' : undefined;
}
