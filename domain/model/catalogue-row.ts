import { z } from 'zod';
import { ModelFacts } from './model-facts.ts';

/** How the bytes of the weight files were learnt, best first. */
const WeightBasis = z.enum(['index', 'listing', 'logged', 'parameters']);

/** One checkpoint of the shipped catalogue: its facts, and where and when each was read. */
export const CatalogueRow = z
  .strictObject({
    facts: ModelFacts.strict(),
    geometrySource: z.string().min(1),
    weightSource: z.string().min(1).optional(),
    weightBasis: WeightBasis.optional(),
    readOn: z.iso.date(),
  })
  .refine((row) => (row.facts.weightBytes === undefined) === (row.weightBasis === undefined), {
    message: 'a row states weightBytes and weightBasis together',
  });
export type CatalogueRow = z.output<typeof CatalogueRow>;

export const Catalogue = z.record(z.string(), CatalogueRow);
