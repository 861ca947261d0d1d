import { z } from 'zod';
import { formatIssues } from '../domain/kubernetes/field-path.ts';

/** A versioned entry of the pipeline context, by which one step tells the next what it decided. */
export interface HandOffEntry<T> {
  readonly key: string;
  readonly version: number;
  readonly writtenBy: string;
  readonly schema: z.ZodType<T>;
}

/** A hand-off as read: its value, or why there is none. */
export type HandOffRead<T> =
  | { readonly state: 'Present'; readonly value: T }
  | { readonly state: 'Missing'; readonly why: string };

const Envelope = z.object({ version: z.number(), value: z.unknown() });

/** Wraps a value for the context; the reader refuses another version. */
export function writeHandOff<T>(entry: HandOffEntry<T>, value: T): { key: string; value: unknown } {
  return { key: entry.key, value: { version: entry.version, value } };
}

/** Reads an entry of the context; `Missing` says what to add or upgrade. */
export function readHandOff<T>(context: Readonly<Record<string, unknown>>, entry: HandOffEntry<T>): HandOffRead<T> {
  if (!Object.hasOwn(context, entry.key)) {
    return missing(
      `Cannot read context "${entry.key}": the ${entry.writtenBy} step could not decide (its own condition says why), or is not before this one in the Composition`,
    );
  }
  const envelope = Envelope.safeParse(context[entry.key]);
  if (!envelope.success) return missing(`Cannot read context "${entry.key}": it was not written by ${entry.writtenBy}`);
  if (envelope.data.version !== entry.version) {
    return missing(
      `Cannot read context "${entry.key}": found version ${envelope.data.version}, want ${entry.version}; run the same version of every function`,
    );
  }
  const value = entry.schema.safeParse(envelope.data.value);
  if (!value.success) {
    return missing(
      `Cannot read context "${entry.key}": ${formatIssues([], value.error.issues)}; run the same version of every function`,
    );
  }
  return { state: 'Present', value: value.data };
}

function missing(why: string): { state: 'Missing'; why: string } {
  return { state: 'Missing', why };
}
