/** Short and older names of flags that vLLM and SGLang take for another one (`--help` of 0.30 and 0.5, read 2026-12-02). */
const aliases: Readonly<Record<string, string>> = {
  '-tp': '--tensor-parallel-size',
  '-pp': '--pipeline-parallel-size',
  '-dp': '--data-parallel-size',
  '-dcp': '--decode-context-parallel-size',
  '-q': '--quantization',
  '--tp': '--tensor-parallel-size',
  '--tp-size': '--tensor-parallel-size',
  '--pp-size': '--pipeline-parallel-size',
  '--dp-size': '--data-parallel-size',
  '--model': '--model-path',
};

/** The one name of a flag, however it is written, so that no flag is there twice: engines take `_` for `-`. */
export function canonicalFlag(written: string): string {
  const name = written.startsWith('--') ? `--${written.slice(2).replaceAll('_', '-')}` : written;
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}
