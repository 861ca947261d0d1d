import { closest, distance } from 'fastest-levenshtein';
import { once } from '../units/once.ts';
import catalogueJson from './catalogue.json' with { type: 'json' };
import { Catalogue, type CatalogueRow } from './catalogue-row.ts';
import type { FactOrigin, ModelFacts } from './model-facts.ts';

const catalogue = once((): Readonly<Record<string, CatalogueRow>> => Catalogue.parse(catalogueJson));

/** The facts of a model and where each came from: the claim first, then the shipped catalogue. */
export interface FoundFacts {
  readonly facts: ModelFacts;
  readonly origins: Readonly<Partial<Record<keyof ModelFacts, FactOrigin>>>;
  /** A catalogue name close to an unknown one. */
  readonly suggestion?: string;
}

/** Finds what is known of a model by its hub name. Unknown facts are simply absent. */
export function findFacts(modelName: string, stated: ModelFacts | undefined): FoundFacts {
  const row = Object.hasOwn(catalogue(), modelName) ? catalogue()[modelName] : undefined;
  const origins: Partial<Record<keyof ModelFacts, FactOrigin>> = {};
  for (const field of Object.keys(row?.facts ?? {})) origins[field as keyof ModelFacts] = 'catalogue';
  for (const field of Object.keys(stated ?? {})) origins[field as keyof ModelFacts] = 'claim';
  const facts = { ...row?.facts, ...stated };
  const suggestion = row === undefined ? suggestName(modelName) : undefined;
  return suggestion === undefined ? { facts, origins } : { facts, origins, suggestion };
}

/** The closest name, where two of three letters are right: a farther one only misleads. */
function suggestName(modelName: string): string | undefined {
  const name = closest(modelName, Object.keys(catalogue()));
  return distance(modelName, name) <= modelName.length / 3 ? name : undefined;
}

/** The hub names of the shipped catalogue, sorted. */
export function catalogueNames(): readonly string[] {
  return Object.keys(catalogue()).sort();
}
