import type { z } from 'zod';

/** A rule over several fields of a spec, once for the API server (CEL) and once for renders without one. */
export interface SpecRule<T> {
  readonly rule: string;
  readonly message: string;
  readonly holds: (value: T) => boolean;
}

/** A rule by which the API server refuses a change; without the old value there is nothing to check. */
export function immutable<T>(field: string): SpecRule<T> {
  return {
    rule: 'self == oldSelf',
    message: `${field} cannot change: make a new object with the other value, then delete this one`,
    holds: () => true,
  };
}

/** A schema that also holds its values to the rules, and carries them to the generated definition. */
export function withRules<S extends z.ZodType>(schema: S, rules: readonly SpecRule<z.output<S>>[]): S {
  const checked = schema.superRefine((value, context) => {
    for (const { holds, message } of rules) if (!holds(value)) context.addIssue({ code: 'custom', message });
  });
  return checked.meta({ 'x-kubernetes-validations': rules.map(({ rule, message }) => ({ rule, message })) });
}
