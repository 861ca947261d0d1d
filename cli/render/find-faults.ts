import { apiVersion, compositeLabel, compositionResourceName } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { InstalledKind } from '../crossplane/package-files.ts';
import { findUnknownFields } from '../find-unknown-fields.ts';

type Kinds = ReadonlyMap<string, InstalledKind>;

/** What the API server would refuse of the objects given, as sentences with the object and the fix. */
export function findFaults(given: readonly KubernetesObject[], kinds: Kinds): readonly string[] {
  return given.flatMap((object) => {
    const installed = kinds.get(object.kind);
    const faults = installed === undefined ? [] : faultsOf(object, installed);
    return faults.map((fault) => `${subjectOf(object)}: ${fault}`);
  });
}

/** Another version of our API, no name, no namespace, fields that are not declared, and no spec at all. */
function faultsOf(object: KubernetesObject, installed: InstalledKind): readonly string[] {
  const { apiVersion: version, kind: _kind, metadata, status: _status, ...content } = object;
  if (version !== apiVersion) return [`apiVersion is "${version}"; write "${apiVersion}"`];
  const faults: string[] = [];
  if (!isName(metadata.name)) faults.push('metadata.name is missing or no text; write one');
  if (installed.isNamespaced && !isName(metadata.namespace))
    faults.push('metadata.namespace is missing or no text; write the one that the claim is made in');
  const unknown = findUnknownFields(installed.schema, content, '');
  if (unknown.length === 0 && !isRecord(content.spec)) faults.push('spec is missing or no object');
  return [...faults, ...unknown];
}

/**
 * What is missing from observed objects, as sentences with the fix. Core would ignore such an object, and what serves
 * would be rendered as if nothing existed.
 */
export function findObservedFaults(observed: readonly KubernetesObject[], kinds: Kinds): readonly string[] {
  return observed
    .filter(({ kind }) => !kinds.has(kind))
    .flatMap((object) => {
      const { annotations, labels, ownerReferences = [] } = object.metadata;
      const faults: string[] = [];
      if (annotations?.[compositionResourceName] === undefined)
        faults.push(`the annotation ${compositionResourceName} is missing, so nobody knows which resource it is`);
      const hasOwner = ownerReferences.some(({ controller }) => controller === true);
      if (!hasOwner && labels?.[compositeLabel] === undefined)
        faults.push('the owner reference with controller true is missing, so it belongs to no claim');
      return faults.map((fault) => `${subjectOf(object)}: ${fault}; write it out whole, with "kubectl get -o yaml"`);
    });
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function subjectOf({ kind, metadata }: KubernetesObject): string {
  return isName(metadata.name) ? `${kind} "${metadata.name}"` : kind;
}
