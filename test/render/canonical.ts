/**
 * The comparable form of a render, as `expected.yaml` holds it: what our runner, the core binary and Crossplane's CLI
 * must agree on. Left out is what only core adds and nobody asserts: owner references, core's labels, times, the
 * condition Responsive (the state of core's own watch) and its narration ("Successfully selected composition").
 */
import type { RenderEvent, RenderOutput } from '../../cli/crossplane/render-output.ts';
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { compositeLabel, compositionResourceName } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';

const coreLabels = [compositeLabel, 'crossplane.io/claim-name', 'crossplane.io/claim-namespace'];
const coreConditions = ['Responsive'];

/** A render in its comparable form: keys sorted, no undefined fields, lists without an order of their own sorted. */
export function canonical(output: RenderOutput): unknown {
  const { composite, composed, deleted, events, requiredResources, requiredSchemas } = output;
  return plain({
    composite: canonicalComposite(composite),
    composed: sortBy(composed.map(canonicalComposed), composedKey),
    deleted: deleted.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort(),
    events: events.filter(isAsserted).map(({ type, reason, message }) => ({ type, reason, message })),
    requiredResources: unique(requiredResources),
    requiredSchemas: unique(requiredSchemas),
  });
}

/** What Crossplane's CLI prints of a render: all but the deletions and what was required. */
export function printedPart(canonicalOutput: unknown): unknown {
  const { composite, composed, events } = isRecord(canonicalOutput) ? canonicalOutput : {};
  return { composite, composed, events };
}

function canonicalComposite({ apiVersion, kind, metadata, status }: KubernetesObject): unknown {
  const { name, namespace } = metadata;
  return { apiVersion, kind, metadata: { name, namespace }, status: canonicalStatus(status) };
}

function canonicalStatus(status: unknown): unknown {
  if (!isRecord(status) || !Array.isArray(status.conditions)) return status;
  const conditions = status.conditions
    .filter(isRecord)
    .filter(({ type }) => !coreConditions.includes(String(type)))
    .map(({ lastTransitionTime: _time, observedGeneration: _generation, ...condition }) => condition);
  return { ...status, conditions: sortBy(conditions, ({ type }) => String(type)) };
}

function canonicalComposed(object: KubernetesObject): KubernetesObject {
  const { ownerReferences: _owners, labels = {}, ...metadata } = object.metadata;
  const { generateName: _prefix, ...rest } = metadata as typeof metadata & { generateName?: string };
  const own = Object.entries(labels).filter(([name]) => !coreLabels.includes(name));
  return { ...object, metadata: own.length > 0 ? { ...rest, labels: Object.fromEntries(own) } : rest };
}

function composedKey({ metadata }: KubernetesObject): string {
  return metadata.annotations?.[compositionResourceName] ?? '';
}

function isAsserted({ type, message }: RenderEvent): boolean {
  return type !== 'Normal' || message.startsWith('Pipeline step "');
}

function unique(items: readonly unknown[]): unknown[] {
  return [...new Set(items.map(canonicalJson))].sort().map((text) => JSON.parse(text));
}

function sortBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...items].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

function plain(value: unknown): unknown {
  return JSON.parse(canonicalJson(value));
}
