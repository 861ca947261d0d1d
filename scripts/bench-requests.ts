/**
 * The requests of the bench: for each function and size one that a settled reconcile would send. A request whose answer
 * is a freeze, or that the function would ask to have completed, is refused: its bench would prove nothing.
 */
import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import type { Reason } from '../domain/kubernetes/condition.ts';
import { readList, readString } from '../domain/kubernetes/object.ts';
import { type FunctionName, steps } from '../functions/steps.ts';
import { withForeign } from './bench-foreign.ts';
import { findGrowth } from './bench-growth.ts';
import { answer, type Exchange, renderAnew, runPass } from './bench-pass.ts';
import { servingReplica, youngReplica } from './bench-replica-scenes.ts';
import { readGoldenCase, type Scene } from './bench-scene.ts';
import { routedService, youngService } from './bench-service-scene.ts';

/** The sizes by their label, in bytes. */
export const sizes = { '6kB': 6000, '100kB': 100_000, '2MB': 2_000_000 } as const;
export type Size = keyof typeof sizes;
export const sizeNames = Object.keys(sizes) as readonly Size[];

/** How far a request may be from its label. */
const tolerance = 0.1;

interface Subject {
  readonly scene: (growth: number) => Scene | Promise<Scene>;
  /** What the step's main condition says when it has decided. */
  readonly says: Reason;
}

const youngForPlacement = () => youngReplica({ classes: ['l4', 'l40s'], observed: ['NodeGroup', 'Service'] });
const youngForEngine = () => youngReplica({ classes: ['l4'], observed: ['NodeGroup'] });
const routedDeployment = () => renderAnew(readGoldenCase('deployment/4-routable'), []);

/** What each function is asked. The steps of a ModelReplica are sent as little as 6 kB only while it is young. */
const subjects: Readonly<Record<FunctionName, Readonly<Record<Size, Subject>>>> = {
  placement: {
    '6kB': { scene: youngForPlacement, says: 'NodesUsable' },
    '100kB': { scene: servingReplica, says: 'NodesUsable' },
    '2MB': { scene: servingReplica, says: 'NodesUsable' },
  },
  'engine-config': {
    '6kB': { scene: youngForEngine, says: 'Rendered' },
    '100kB': { scene: servingReplica, says: 'Rendered' },
    '2MB': { scene: servingReplica, says: 'Rendered' },
  },
  'rollout-strategy': {
    '6kB': { scene: routedDeployment, says: 'RevisionLive' },
    '100kB': { scene: servingReplica, says: 'RevisionLive' },
    '2MB': { scene: servingReplica, says: 'RevisionLive' },
  },
  gateway: {
    '6kB': { scene: youngService, says: 'NotObserved' },
    '100kB': { scene: routedService, says: 'Routed' },
    '2MB': { scene: routedService, says: 'Routed' },
  },
};

/** A request and its answer, both as bytes. */
export interface BenchRequest {
  readonly bytes: Buffer;
  readonly answer: Buffer;
}

/** The request of a function at a size. Throws when there is none of that size, or when its answer decides nothing. */
export async function buildRequest(name: FunctionName, size: Size): Promise<BenchRequest> {
  const { scene, says } = subjects[name][size];
  const exchangeAt = async (growth: number): Promise<Exchange> => {
    const exchange = (await runPass(await scene(growth), name)).exchanges.get(name);
    if (exchange === undefined) throw new Error(`Cannot bench ${name}: no step of its scene calls it`);
    if (size === '6kB') return exchange;
    const request = withForeign(exchange.request, growth);
    return { request, response: answer(name, request) };
  };
  const growth = await findGrowth(sizes[size], async (candidate) => encode(await exchangeAt(candidate)).length);
  const exchange = await exchangeAt(growth);
  const bytes = encode(exchange);
  const fault = findFault(name, exchange, says) ?? findMisfit(bytes.length, sizes[size]);
  if (fault !== undefined) throw new Error(`Cannot bench ${name} at ${size}: ${fault}`);
  return { bytes, answer: Buffer.from(RunFunctionResponse.encode(exchange.response).finish()) };
}

function encode({ request }: Exchange): Buffer {
  return Buffer.from(RunFunctionRequest.encode(request).finish());
}

/** Why an answer is not that of a settled reconcile; undefined when it is. */
export function findFault(name: FunctionName, { request, response }: Exchange, says: Reason): string | undefined {
  const unresolved = Object.keys(response.requirements?.resources ?? {}).filter(
    (requirement) => !Object.hasOwn(request.requiredResources, requirement),
  );
  if (unresolved.length > 0) return `it still requires ${unresolved.join(', ')}`;
  const rows = rowsOf(response).slice(rowsOf(request).length);
  if (rows.every((row) => readString(row, ['state']) === 'Held')) return 'it composes nothing but what it holds';
  const kind = String(request.observed?.composite?.resource?.kind);
  const main = mainCondition(name, kind, response);
  return main?.reason === says ? undefined : `it says "${main?.reason ?? 'nothing'}", want "${says}"`;
}

/** What the steps up to here say about each resource. */
function rowsOf({ desired }: RunFunctionRequest | RunFunctionResponse): readonly unknown[] {
  return readList(desired?.composite?.resource, ['status', 'resources']);
}

function mainCondition(name: FunctionName, kind: string, { conditions }: RunFunctionResponse) {
  return conditions.find(({ type }) => type === steps[name].mainCondition[kind]);
}

function findMisfit(found: number, wanted: number): string | undefined {
  const isNear = Math.abs(found - wanted) <= wanted * tolerance;
  return isNear ? undefined : `the nearest request has ${found} bytes, want ${wanted} within ${tolerance * 100}%`;
}
