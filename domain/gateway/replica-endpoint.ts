import { z } from 'zod';
import { enginePort } from '../engine/engine-port.ts';
import { isRecord, type KubernetesObject, readList, readPath, readString } from '../kubernetes/object.ts';

/** The API that an engine speaks, by the clients that use it. */
export const Protocol = z.enum(['OpenAI', 'Anthropic']);
export type Protocol = z.output<typeof Protocol>;

/** `status.engine.endpoint` of a ModelReplica: where its engine answers, and in which protocols. */
export const ReplicaEndpoint = z.object({
  service: z.string().min(1).describe('Name of the headless Service of the engine.'),
  port: z.int32().min(1).max(65_535).describe('Port of the engine.'),
  protocols: z
    .array(Protocol)
    .refine((protocols) => protocols.includes('OpenAI'), { error: 'every engine speaks "OpenAI"' })
    .describe('Protocols that the engine speaks itself; "OpenAI" is always among them.'),
});
export type ReplicaEndpoint = z.output<typeof ReplicaEndpoint>;

/** What a replica's deployment can tell it; a detached one drains like any other, its Service selects no pod beside. */
const Traffic = z.enum(['Serve', 'Drain', 'Detach']).default('Serve');
const PublishedEndpoint = ReplicaEndpoint.optional();

/** A ModelReplica as a ModelService sees it. */
export interface Replica {
  readonly name: string;
  readonly deployment: string;
  readonly generation: number | undefined;
  /** The InferenceCluster that it runs on; undefined where it does not say. */
  readonly clusterName: string | undefined;
  /** What its deployment wants; a replica that is being deleted drains. */
  readonly traffic: 'Serve' | 'Drain';
  readonly engineReady: 'True' | 'False' | 'Unknown';
  /** Whether the revision that runs has to prove itself before it gets requests, or could not (L6). */
  readonly isHeldBack: boolean;
  /** Undefined until the replica's workload has been rendered. */
  readonly endpoint: ReplicaEndpoint | undefined;
}

export type ReplicaRead =
  | { readonly state: 'Read'; readonly replica: Replica }
  | { readonly state: 'Unreadable'; readonly why: string };

/** Reads a ModelReplica; what cannot be read is said and not guessed, because a guess could take its traffic away (S1). */
export function readReplica(object: KubernetesObject, deployment: string): ReplicaRead {
  const name = object.metadata.name ?? '';
  if (!isRecord(object.spec)) return unreadable(name, 'spec is no object');
  const traffic = Traffic.safeParse(readPath(object, ['spec', 'traffic']));
  if (!traffic.success) return unreadable(name, 'spec.traffic is none of "Serve", "Drain" and "Detach"');
  const { status } = object;
  if (status !== undefined && !isRecord(status)) return unreadable(name, 'status is no object');
  const endpoint = PublishedEndpoint.safeParse(readPath(status, ['engine', 'endpoint']));
  if (!endpoint.success) return unreadable(name, 'status.engine.endpoint cannot be read');
  const isLeaving = object.metadata.deletionTimestamp !== undefined;
  return {
    state: 'Read',
    replica: {
      name,
      deployment,
      generation: object.metadata.generation,
      clusterName: readString(object, ['spec', 'clusterName']),
      traffic: isLeaving || traffic.data !== 'Serve' ? 'Drain' : 'Serve',
      engineReady: readEngineReady(object),
      isHeldBack: readHeldBack(object),
      endpoint: endpoint.data,
    },
  };
}

/** The endpoint of a replica that does not say yet: what its workload is rendered with unless it says otherwise. */
export function defaultEndpoint(replica: string): ReplicaEndpoint {
  return { service: replica, port: enginePort, protocols: ['OpenAI'] };
}

function readEngineReady(object: KubernetesObject): Replica['engineReady'] {
  const conditions = readList(object, ['status', 'conditions']).filter(isRecord);
  const status = readString(
    conditions.find((condition) => condition.type === 'EngineReady'),
    ['status'],
  );
  return status === 'True' || status === 'False' ? status : 'Unknown';
}

/** Only what was said against it holds a replica back: a missing answer takes no requests from anybody (S1). */
function readHeldBack(object: KubernetesObject): boolean {
  const conditions = readList(object, ['status', 'conditions']).filter(isRecord);
  const checked = conditions.find((condition) => condition.type === 'ConformanceChecked');
  return checked?.status === 'False' || checked?.reason === 'ConformanceRunning';
}

function unreadable(name: string, found: string): ReplicaRead {
  return {
    state: 'Unreadable',
    why: `Cannot read ModelReplica "${name}": ${found}; run the same version of every function`,
  };
}
