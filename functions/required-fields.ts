/**
 * What the functions read of a required object, by its kind: the rest is never decoded. A node is 10 to 20 kB, and a
 * pass over a fleet has thousands. A kind that is not here is read whole: it is few, or nearly all of it is read. What
 * a function reads and this does not name is absent for it, in tests of a single function too.
 */
import type { Wanted } from './wire/read-struct.ts';

const named = ['metadata.name', 'metadata.namespace', 'metadata.labels'];
const conditions = ['status.conditions.type', 'status.conditions.status'];
/** Spec and status of our own kinds, without who owns each field of them. */
const own = [...named, 'metadata.generation', 'metadata.creationTimestamp', 'metadata.deletionTimestamp', 'spec'];

const paths: Readonly<Record<string, readonly string[]>> = {
  ConfigMap: [...named, 'data'],
  Deployment: [...named, 'spec.template.spec.containers.image'],
  DeviceClass: named,
  EndpointSlice: [...named, 'endpoints.addresses', 'endpoints.conditions'],
  InferenceClass: [...own, 'status.ledger'],
  InferenceCluster: [...own, 'status.features', 'status.ledger', ...conditions, 'status.conditions.message'],
  InferenceGateway: [...own, 'status.externalEndpoints', 'status.features'],
  ModelReplica: [
    ...named,
    'metadata.creationTimestamp',
    'metadata.deletionTimestamp',
    'metadata.generation',
    'spec.clusterName',
    'spec.placement.classes',
    'spec.traffic',
    'status.engine.endpoint',
    'status.usdPerHour',
    'status.wantedUsdPerHour',
    'status.byClass',
    'status.class',
    'status.pools',
    'status.accelerators',
    'status.wantedAccelerators',
    ...conditions,
    'status.conditions.reason',
  ],
  ModelService: [...own, 'status.endpoints', ...conditions],
  Node: [...named, 'spec.unschedulable', 'status.allocatable', ...conditions],
  NodeGroup: named,
  Pod: [
    ...named,
    'metadata.deletionTimestamp',
    ...['containerStatuses', 'initContainerStatuses'].flatMap((list) =>
      ['name', 'image', 'state', 'lastState', 'restartCount'].map((field) => `status.${list}.${field}`),
    ),
    ...conditions,
    'status.conditions.reason',
    'status.conditions.message',
  ],
  Secret: [...named, 'data'],
};

/** What tells that an object is one, and of which kind. */
const identity = ['apiVersion', 'kind'];
export const identifyingFields = select([...identity, 'metadata.name']);

const byKind = new Map<unknown, Wanted>(
  Object.entries(paths).map(([kind, fields]) => [kind, select([...identity, ...fields])]),
);

/** The fields of a required object of a kind that are read, its kind among them. */
export function fieldsOfKind(kind: unknown): Wanted {
  return byKind.get(kind) ?? true;
}

/** Paths as the tree that the reader goes down; a path through a list is of each of its items. */
function select(all: readonly string[]): Wanted {
  const first = Map.groupBy(all, (path) => path.split('.', 1)[0] ?? '');
  const fields = new Map(
    [...first].map(([name, own]): [string, Wanted] => {
      const below = own.map((path) => path.slice(name.length + 1));
      return [name, below.includes('') ? true : select(below)];
    }),
  );
  return (field) => fields.get(field);
}
