import { compositeLabel, compositionResourceName } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';
import { applyDefaults } from '../crossplane/apply-defaults.ts';
import type { InstalledKind } from '../crossplane/package-files.ts';

/** What a render says of an object: its fields, labels and annotations, without status and what the API server adds. */
export function renderedContent(
  object: KubernetesObject,
  kinds: ReadonlyMap<string, InstalledKind>,
): Readonly<Record<string, unknown>> {
  const { apiVersion: _version, kind, metadata, status: _status, ...fields } = object;
  const schema = kinds.get(kind)?.schema;
  // The API server fills in the defaults of our own kinds, and a field without one that is gone must count.
  const complete = schema === undefined ? fields : applyDefaults(schema, fields);
  return {
    ...(isRecord(complete) ? complete : fields),
    metadata: {
      labels: without(metadata.labels, [compositeLabel]),
      annotations: without(metadata.annotations, [compositionResourceName]),
    },
  };
}

function without(texts: Readonly<Record<string, string>> | undefined, names: readonly string[]) {
  return Object.fromEntries(Object.entries(texts ?? {}).filter(([name]) => !names.includes(name)));
}
