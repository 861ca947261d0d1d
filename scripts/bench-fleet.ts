/**
 * What a fleet costs: a ModelDeployment that may go to any of its clusters, and the InferenceCluster that shares the
 * budget of its namespaces among all its replicas. No other claim of ours is sent a fleet. A peer's scheduler is sent
 * both in one call and wants a cluster and a replica in 690 bytes; here they are as an API server returns them.
 */
import { RunFunctionRequest } from '@crossplane-org/function-sdk-typescript';
import { label } from '../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';
import { asStored } from './bench-as-stored.ts';
import { timeCalls } from './bench-load.ts';
import { measureRound, type Target } from './bench-measure.ts';
import { runPass } from './bench-pass.ts';
import { firstOf, readGoldenCase, readScenery, type Scene } from './bench-scene.ts';
import { median } from './bench-statistics.ts';

export interface FleetSize {
  readonly clusters: number;
  readonly replicas: number;
}

export interface FleetRow extends FleetSize {
  /** CPU milliseconds of both calls together: the median of the rounds, and the least. */
  readonly cpuMs: number;
  readonly leastCpuMs: number;
  /** Bytes of both requests together. */
  readonly bytes: number;
}

/** Sizes that a peer's scheduler was measured with. */
export const fleetSizes: readonly FleetSize[] = [
  { clusters: 5, replicas: 4 },
  { clusters: 70, replicas: 80 },
  { clusters: 1400, replicas: 1600 },
];
const rounds = 5;
const namespaces = 40;

/** The requests of placement for a fleet: of the deployment, and of the cluster. */
export async function buildFleet({ clusters, replicas }: FleetSize): Promise<readonly Buffer[]> {
  return [await requestOf(deploymentOver(clusters), 'Comfortable'), await requestOf(clusterOf(replicas), 'Incomplete')];
}

async function requestOf(scene: Scene, says: 'Comfortable' | 'Incomplete'): Promise<Buffer> {
  const exchange = (await runPass(scene, 'placement')).exchanges.get('placement');
  const reasons = exchange?.response.conditions.map(({ reason }) => reason) ?? [];
  if (exchange === undefined || !reasons.includes(says))
    throw new Error(`Cannot bench a fleet: placement says ${reasons.join(', ')}, want ${says}`);
  return Buffer.from(RunFunctionRequest.encode(exchange.request).finish());
}

function deploymentOver(count: number): Scene {
  const { xr, required } = readGoldenCase('deployment/4-routable');
  const cluster = firstOf(required, 'InferenceCluster');
  const clusters = copies(count, (number) => rename(cluster, { name: `europe-${String(number).padStart(4, '0')}` }));
  const others = required.filter(({ kind }) => kind !== 'InferenceCluster');
  const stored = [...others, ...clusters].map((object) => asStored(object, 'kubectl'));
  return { xr: asStored(xr, 'kubectl'), observed: [], required: stored };
}

function clusterOf(count: number): Scene {
  const xr = firstOf(readScenery('test/render/cases/cluster/3-grants/xr.yaml'), 'InferenceCluster');
  const replica = readGoldenCase('replica/7-engine-ready').xr;
  const replicas = copies(count, (number) => {
    const named = rename(replica, { name: `llama-${number}`, namespace: `team-${number % namespaces}` });
    const labels = { ...named.metadata.labels, [label.managedBy]: 'modelberth' };
    return { ...named, metadata: { ...named.metadata, labels } };
  });
  return { xr: asStored(xr, 'kubectl'), observed: [], required: replicas.map((object) => asStored(object)) };
}

function copies<T>(count: number, make: (number: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, number) => make(number));
}

function rename(object: KubernetesObject, names: Readonly<Record<string, string>>): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, ...names } };
}

/** What a fleet costs a function that has answered requests of its kind before. */
export async function measureFleet(target: Target, size: FleetSize, forMs: number): Promise<FleetRow> {
  const requests = await buildFleet(size);
  const each = forMs / requests.length / (rounds + 3);
  for (const request of requests) await timeCalls(target.caller, request, each * 3);
  const sums: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    let sum = 0;
    for (const request of requests) sum += (await measureRound(target, timeCalls, { request, forMs: each })).cpuMs;
    sums.push(sum);
  }
  const costs = { cpuMs: median(sums), leastCpuMs: Math.min(...sums) };
  return { ...size, ...costs, bytes: requests.reduce((sum, request) => sum + request.length, 0) };
}
