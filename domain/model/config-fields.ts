/** A parsed `config.json` or a section of it. */
export type Config = Readonly<Record<string, unknown>>;

/** The first of these fields that is a number; undefined where none is. */
export function numberOf(config: Config, ...fields: readonly string[]): number | undefined {
  for (const field of fields) {
    const value = config[field];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return undefined;
}

/** The first of these fields that is a whole number above 0. */
export function wholeOf(config: Config, ...fields: readonly string[]): number | undefined {
  for (const field of fields) {
    const value = numberOf(config, field);
    if (value !== undefined && Number.isInteger(value) && value > 0) return value;
  }
  return undefined;
}

/** A field that is a text. */
export function textOf(config: Config, field: string): string | undefined {
  const value = config[field];
  return typeof value === 'string' ? value : undefined;
}

/** A field that is a section. */
export function sectionOf(config: Config, field: string): Config | undefined {
  const value = config[field];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Config) : undefined;
}
