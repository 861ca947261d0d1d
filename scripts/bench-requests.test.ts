import { expect, test } from 'vitest';
import { functionNames } from '../functions/steps.ts';
import { buildFleet } from './bench-fleet.ts';
import { runPass } from './bench-pass.ts';
import { servingReplica } from './bench-replica-scenes.ts';
import { buildRequest, findFault, type Size, sizes } from './bench-requests.ts';
import type { Scene } from './bench-scene.ts';

/** The largest size is built by the bench only: it takes a second for each function. */
const built = functionNames.flatMap((name) => (['6kB', '100kB'] as const).map((size): [string, Size] => [name, size]));

test.each(built)('buildRequest finds a request that %s decides, of about %s', async (name, size) => {
  const { bytes, answer } = await buildRequest(name as (typeof functionNames)[number], size);
  expect(Math.abs(bytes.length / sizes[size] - 1)).toBeLessThanOrEqual(0.1);
  expect(answer.length).toBeGreaterThan(0);
});

test('buildFleet finds two requests that placement decides, and that grow with the fleet', async () => {
  const [small, large] = [
    await buildFleet({ clusters: 2, replicas: 2 }),
    await buildFleet({ clusters: 20, replicas: 20 }),
  ];
  const growth = small.map((request, index) => (large[index]?.length ?? 0) / request.length);
  expect(growth.every((times) => times > 2 && times < 10)).toBe(true);
});

const scene = await servingReplica(0);
const { required } = scene;

async function exchangeOf(present: Scene['required']) {
  const exchange = (await runPass({ ...scene, required: present }, 'placement')).exchanges.get('placement');
  if (exchange === undefined) throw new Error('the pass did not call placement');
  return exchange;
}

test('findFault finds nothing when the answer decides', async () => {
  expect(findFault('placement', await exchangeOf(required), 'NodesUsable')).toBeUndefined();
});

test('findFault says so when the answer is a freeze, though its reason is wanted', async () => {
  const exchange = await exchangeOf(required.filter(({ kind }) => kind !== 'InferenceClass'));
  expect(findFault('placement', exchange, 'ClassMissing')).toBe('it composes nothing but what it holds');
});

test('findFault names the reason when it is another one', async () => {
  const exchange = await exchangeOf(required.filter(({ kind }) => kind !== 'Node'));
  expect(findFault('placement', exchange, 'NodesUsable')).toBe('it says "WaitingForNodes", want "NodesUsable"');
});

test('findFault says so when the answer composes nothing, whatever its reason', async () => {
  const { request, response } = await exchangeOf(required);
  const exchange = { request, response: { ...response, desired: request.desired } };
  expect(findFault('placement', exchange, 'NodesUsable')).toBe('it composes nothing but what it holds');
});

test('findFault names what is not resolved when the function asks for more', async () => {
  const { request, response } = await exchangeOf(required);
  const exchange = { request: { ...request, requiredResources: {} }, response };
  expect(findFault('placement', exchange, 'NodesUsable')).toBe(
    'it still requires cluster, nodes, pods, class-l4, class-l40s',
  );
});
