import { distance } from 'fastest-levenshtein';
import { isRecord, type KubernetesObject, readList, readPath, readString } from '../../domain/kubernetes/object.ts';
import { catalogueNames } from '../../domain/model/find-facts.ts';

/** A name in a claim that nothing has. */
export interface UnknownName {
  /** Kind and name of the claim. */
  readonly object: string;
  readonly field: string;
  readonly name: string;
  /** What it should have been the name of. */
  readonly wanted: string;
  /** A name that is there and close to it. */
  readonly suggestion?: string;
  /** The names that are there, sorted. */
  readonly known: readonly string[];
}

/** A name as a claim writes it. */
interface NamedReference {
  readonly field: string;
  readonly name: string;
  readonly wanted: string;
  readonly known: readonly string[];
}

/** Every name in the claims that no object, and no model of the catalogue, has. */
export function findUnknownNames(xrs: readonly KubernetesObject[]): readonly UnknownName[] {
  return xrs.flatMap((xr) => unknownNamesOf(xr, xrs));
}

/** The names in one claim that nothing among all of them has. */
export function unknownNamesOf(xr: KubernetesObject, xrs: readonly KubernetesObject[]): readonly UnknownName[] {
  return referencesOf(xr, xrs)
    .filter(({ name, known }) => !known.includes(name))
    .map((reference) => ({ object: `${xr.kind} "${xr.metadata.name ?? ''}"`, ...reference, ...near(reference) }));
}

/** The closest name, where at least half of its letters are right. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const edits = distance(name, candidate);
    if (edits <= candidate.length / 2 && edits < (best?.edits ?? Number.POSITIVE_INFINITY))
      best = { name: candidate, edits };
  }
  return best?.name;
}

function near({ name, known }: NamedReference): { suggestion?: string } {
  const suggestion = nearestName(name, known);
  return suggestion === undefined ? {} : { suggestion };
}

function referencesOf(xr: KubernetesObject, xrs: readonly KubernetesObject[]): readonly NamedReference[] {
  const known = (kind: string) => namesOf(xrs, kind);
  if (xr.kind === 'ModelDeployment') return deploymentReferences(xr, known);
  if (xr.kind === 'InferenceGateway')
    return reference(xr, ['spec', 'clusterName'], 'InferenceCluster', known('InferenceCluster'));
  if (xr.kind !== 'ModelService') return [];
  const beside = xrs.filter(({ metadata }) => metadata.namespace === xr.metadata.namespace);
  return [
    ...reference(xr, ['spec', 'gatewayName'], 'InferenceGateway', known('InferenceGateway')),
    ...routeReferences(xr, namesOf(beside, 'ModelDeployment')),
  ];
}

function deploymentReferences(
  xr: KubernetesObject,
  known: (kind: string) => readonly string[],
): readonly NamedReference[] {
  const classes = readList(xr, ['spec', 'placement', 'classes']).filter((name) => typeof name === 'string');
  // A claim that states the facts of its model needs no row of the catalogue.
  const isStated = isRecord(readPath(xr, ['spec', 'model', 'facts']));
  return [
    ...(isStated ? [] : reference(xr, ['spec', 'model', 'name'], 'model of the catalogue', catalogueNames())),
    ...classes.map((name, index) => ({
      field: `spec.placement.classes[${index}]`,
      name,
      wanted: 'InferenceClass',
      known: known('InferenceClass'),
    })),
    ...reference(xr, ['spec', 'placement', 'clusterName'], 'InferenceCluster', known('InferenceCluster')),
  ];
}

function routeReferences(xr: KubernetesObject, known: readonly string[]): readonly NamedReference[] {
  return readList(xr, ['spec', 'routes']).flatMap((route, index) => {
    const name = readString(route, ['deploymentName']);
    const wanted = `ModelDeployment of namespace "${xr.metadata.namespace ?? ''}"`;
    return name === undefined ? [] : [{ field: `spec.routes[${index}].deploymentName`, name, wanted, known }];
  });
}

function reference(
  xr: KubernetesObject,
  path: readonly string[],
  wanted: string,
  known: readonly string[],
): readonly NamedReference[] {
  const name = readString(xr, path);
  return name === undefined ? [] : [{ field: path.join('.'), name, wanted, known }];
}

function namesOf(xrs: readonly KubernetesObject[], kind: string): readonly string[] {
  const names = xrs.filter((xr) => xr.kind === kind).map(({ metadata }) => metadata.name ?? '');
  return [...new Set(names)].sort();
}

/** Names that a message lists at most. */
const mostNames = 5;

/** The fault as one sentence with its fix. */
export function sayUnknownName({ object, field, name, wanted, suggestion, known }: UnknownName): string {
  const found = `${object}: ${field} names "${name}", and there is no ${wanted} of that name`;
  if (suggestion !== undefined) return `${found}; did you mean "${suggestion}"?`;
  if (known.length === 0) return `${found}; there is none at all`;
  if (known.length > mostNames) return `${found}; none of the ${known.length} names that are known is near`;
  return `${found}; known are ${known.map((each) => `"${each}"`).join(', ')}`;
}
