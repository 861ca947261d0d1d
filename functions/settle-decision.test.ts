import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../domain/kubernetes/canonical-json.ts';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';
import { desiredObjects, replicaXr, runEncoded } from '../test/run-encoded.ts';
import type { Composed, ComposeRequest, Decision, Freeze } from './compose.ts';
import { settleDecision } from './settle-decision.ts';
import { type FunctionName, functionNames, pipelines, steps } from './steps.ts';

const nothing: Decision = { requirements: { resources: {} }, composed: new Map(), status: {}, conditions: [] };
const frozen: Freeze = { frozen: true, requirements: { resources: {} }, conditions: [] };

/** An observed object of a kind whose readiness is that it exists. */
function observedObject(name: string, metadata: KubernetesObject['metadata'] = {}): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, ...metadata },
    data: { size: '1' },
    status: { seen: true },
  };
}

function requestOf(observed: Readonly<Record<string, KubernetesObject>>, status?: unknown): ComposeRequest {
  return {
    xr: status === undefined ? replicaXr : { ...replicaXr, status },
    observed: new Map(Object.entries(observed)),
    stored: new Map(Object.entries(observed)),
    required: () => ({ state: 'Unresolved' }),
    requiredSchema: () => 'Unresolved',
    handOff: () => ({ state: 'Missing', why: 'none' }),
    input: {},
    now: new Date(0),
    randomKey: () => 'key',
  };
}

function composedOf(name: string, fields: Partial<Composed> = {}): Composed {
  const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { size: '2' } };
  return { object, ready: true, state: 'Ready', why: 'made', ...fields };
}

/** The whys of the rows by name. */
function whys(name: FunctionName, request: ComposeRequest, outcome: Decision | Freeze): Record<string, string> {
  return Object.fromEntries(settleDecision(name, request, outcome).rows.map((row) => [row.name, row.why]));
}

describe('settleDecision', () => {
  const inUse = { labels: { 'crossplane.io/in-use': 'true' } };
  const observed = {
    'revision-a': observedObject('a'),
    'revision-b': observedObject('b', inUse),
    'pool-c': observedObject('c'),
  };
  const dropped = new Map([
    ['revision-a', 'old'],
    ['revision-b', 'old'],
    ['pool-c', 'old'],
  ]);

  test('S1 holds every own key that is neither composed nor dropped, and no key of another step', () => {
    expect(whys('rollout-strategy', requestOf(observed), nothing)).toEqual({
      a: 'held as it was last rendered',
      b: 'held as it was last rendered',
    });
  });

  test('S1 drops by name only what no Usage protects, and says who protects it', () => {
    expect(whys('rollout-strategy', requestOf(observed), { ...nothing, dropped })).toEqual({
      b: 'a Usage protects it; delete the Usage first',
    });
  });

  test('S1 restores every key when frozen', () => {
    expect(whys('placement', requestOf(observed), frozen)).toEqual({ c: 'held as it was last rendered' });
  });

  test('S1 lets the last step keep the keys of nobody, also when it names them as dropped', () => {
    const stray = { stray: observedObject('stray') };
    expect(whys('placement', requestOf(stray), nothing)).toEqual({});
    expect(whys('engine-config', requestOf(stray), nothing)).toEqual({});
    expect(whys('rollout-strategy', requestOf(stray), nothing)).toEqual({ stray: 'no step of this version owns it' });
    const dropsIt = { ...nothing, dropped: new Map([['stray', 'old']]) };
    expect(whys('rollout-strategy', requestOf(stray), dropsIt)).toEqual({ stray: 'no step of this version owns it' });
  });

  test('S1 composes a key that is named as dropped too', () => {
    const both = { ...nothing, composed: new Map([['revision-a', composedOf('a')]]), dropped };
    expect(settleDecision('rollout-strategy', requestOf(observed), both).composed.get('revision-a')?.why).toBe('made');
  });

  test('S1 carries our own annotations over, and lets a new value win', () => {
    const annotations = { 'modelberth.dev/a': '1', 'modelberth.dev/b': '1', 'example.com/c': '1' };
    const request = requestOf({ 'revision-a': observedObject('a', { annotations }) });
    const { object } = composedOf('a');
    const item = composedOf('a', {
      object: { ...object, metadata: { name: 'a', annotations: { 'modelberth.dev/b': '2' } } },
    });
    const settled = settleDecision('rollout-strategy', request, {
      ...nothing,
      composed: new Map([['revision-a', item]]),
    });
    expect(settled.composed.get('revision-a')?.object.metadata.annotations).toEqual({
      'modelberth.dev/a': '1',
      'modelberth.dev/b': '2',
    });
  });

  test('S3 sorts keys whatever their order', () => {
    const composed = new Map([
      ['workload-z', composedOf('z')],
      ['claim-a', composedOf('a')],
    ]);
    const settled = settleDecision('rollout-strategy', requestOf({ 'revision-m': observedObject('m') }), {
      ...nothing,
      composed,
    });
    expect([...settled.composed.keys()]).toEqual(['claim-a', 'revision-m', 'workload-z']);
    expect(settled.rows.map((row) => row.name)).toEqual(['a', 'm', 'z']);
  });

  test('shows planned resources after those that exist', () => {
    const planned = [{ name: 'later', kind: 'Deployment', state: 'Planned' as const, why: 'no node yet' }];
    const composed = new Map([['claim-a', composedOf('a', { since: '2026-12-01T12:00:00Z' })]]);
    expect(settleDecision('rollout-strategy', requestOf({}), { ...nothing, composed, planned }).rows).toEqual([
      { name: 'a', kind: 'Secret', state: 'Ready', why: 'made', since: '2026-12-01T12:00:00Z' },
      ...planned,
    ]);
  });
});

describe('S5 a frozen step', () => {
  test('is not ready when nothing of it exists, since core takes an XR without resources for ready', () => {
    expect(settleDecision('placement', requestOf({}), frozen).ready).toBe(false);
  });

  test('is not ready by the Usage alone that protects it: that proves nothing of what it is for', () => {
    const xr = { ...replicaXr, kind: 'ModelDeployment', spec: { deletionProtection: true } };
    const settled = settleDecision('rollout-strategy', { ...requestOf({}), xr }, frozen);
    expect([...settled.composed.keys(), settled.ready]).toEqual(['guard-deployment', false]);
  });

  test('leaves readiness to what exists', () => {
    expect(settleDecision('placement', requestOf({ 'pool-a': observedObject('a') }), frozen).ready).toBeUndefined();
  });

  const statuses: readonly [string, unknown, unknown][] = [
    [
      'carries the fields of its own status over',
      { ladder: [1], engine: { args: [] }, shape: '1 x L4' },
      { ladder: [1], shape: '1 x L4' },
    ],
    ['does not repeat what it said would happen next', { ladder: [1], next: 'ask' }, { ladder: [1] }],
    ['carries a field that is null over', { shape: null }, { shape: null }],
    ['has no status when the XR has none', undefined, {}],
    ['has no status when that of the XR is text', 'text', {}],
  ];
  test.each(statuses)('S1 %s', (_name, status, carried) => {
    expect(settleDecision('placement', requestOf({}, status), frozen).status).toEqual(carried);
  });
});

describe('S6 one event is sent', () => {
  const now = { type: 'RolledOut', status: 'False', reason: 'RollingOut', message: 'Revision b replaces a' } as const;
  const event = { severity: 'Warning', reason: 'RollingOut', message: 'RolledOut: Revision b replaces a' };
  const rows: readonly [string, unknown, readonly unknown[]][] = [
    ['when the condition was never set', undefined, [event]],
    ['when its status changed', [{ ...now, status: 'True' }], [event]],
    ['when its reason changed', [{ ...now, reason: 'NotPlaced' }], [event]],
    ['when another type had that status and reason', [{ ...now, type: 'Placed' }], [event]],
    ['when the conditions of the XR cannot be read', 'text', [event]],
    ['not when only the message changed', [{ ...now, message: 'Revision b replaces nothing' }], []],
    ['not when nothing changed', [{ ...now, lastTransitionTime: '2026-12-01T12:00:00Z' }], []],
  ];
  test.each(rows)('%s', (_name, conditions, events) => {
    const request = requestOf({}, conditions === undefined ? undefined : { conditions });
    expect(settleDecision('rollout-strategy', request, { ...nothing, conditions: [now] }).events).toEqual(events);
  });

  test('as Normal when the condition turns True, and before those of the decision itself', () => {
    const live = { ...now, status: 'True', reason: 'RevisionLive' } as const;
    const own = { severity: 'Warning', reason: 'Anonymous', message: 'Gateway is open' } as const;
    const settled = settleDecision('rollout-strategy', requestOf({}), {
      ...nothing,
      conditions: [live],
      events: [own],
    });
    expect(settled.events).toEqual([{ ...event, severity: 'Normal', reason: 'RevisionLive' }, own]);
  });
});

describe('S6 keys that nobody owns are said in the main condition', () => {
  const stray = { 'z-stray': observedObject('z'), 'a-stray': observedObject('a') };
  const message = 'Cannot account for z-stray, a-stray: run the version that composed them, or delete them by hand';
  const unknown = { type: 'RolledOut', status: 'Unknown', reason: 'UnknownKey', message };
  const live = { type: 'RolledOut', status: 'True', reason: 'RevisionLive', message: 'Live' } as const;
  const rolling = { ...live, status: 'False', reason: 'RollingOut' } as const;
  const ready = { type: 'EngineReady', status: 'True', reason: 'EngineAnswers', message: 'Answers' } as const;
  const rows: readonly [string, Decision['conditions'], readonly unknown[]][] = [
    ['in place of one that is True', [live, ready], [ready, unknown]],
    ['where it was not set', [ready], [ready, unknown]],
    ['not in place of one that says something worse', [rolling], [rolling]],
  ];
  test.each(rows)('%s', (_name, conditions, said) => {
    expect(settleDecision('rollout-strategy', requestOf(stray), { ...nothing, conditions }).conditions).toEqual(said);
  });
});

const prefixes = [...functionNames.flatMap((name) => steps[name].keyPrefixes), 'stray-'];
const Observed = fc.dictionary(
  fc.tuple(fc.constantFrom(...prefixes), fc.constantFrom('a', 'b', 'c', 'd')).map((parts) => parts.join('')),
  fc.record({ inUse: fc.boolean(), managed: fc.boolean(), memory: fc.constantFrom('', '1', '2') }),
  { maxKeys: 12 },
);
const Pass = fc
  .constantFrom('ModelReplica', 'ModelDeployment', 'ModelService')
  .chain((kind) => fc.tuple(fc.constant(kind), fc.constantFrom(...(pipelines[kind] ?? []))))
  .chain(([kind, name]) => {
    const keys = fc.subarray([...prefixes.map((prefix) => `${prefix}a`), ...prefixes.map((prefix) => `${prefix}b`)]);
    const own = steps[name].keyPrefixes.flatMap((prefix) => [`${prefix}a`, `${prefix}b`, `${prefix}new`]);
    const isFrozen = fc.boolean();
    return fc.record({
      kind: fc.constant(kind),
      name: fc.constant(name),
      observed: Observed,
      composed: fc.subarray(own),
      dropped: keys,
      isFrozen,
    });
  });
type Pass = typeof Pass extends fc.Arbitrary<infer T> ? T : never;

/** As applied by core: a foreign writer owns `foreign`, the API server defaulted `defaulted`. */
function observedOf(key: string, { inUse, managed, memory }: { inUse: boolean; managed: boolean; memory: string }) {
  const own = { 'f:data': { 'f:size': {} }, 'f:metadata': { 'f:annotations': { 'f:modelberth.dev/memory': {} } } };
  const managedFields = [
    { manager: 'apiextensions.crossplane.io/composed/abc', operation: 'Apply', fieldsV1: own },
    { manager: 'somebody', operation: 'Update', fieldsV1: { 'f:data': { 'f:foreign': {} } } },
  ];
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: key,
      ...(inUse ? { labels: { 'crossplane.io/in-use': 'true' } } : {}),
      ...(memory === '' ? {} : { annotations: { 'modelberth.dev/memory': memory } }),
      ...(managed ? { managedFields } : {}),
    },
    data: { size: '1', ...(managed ? { foreign: '1' } : {}) },
    status: { seen: true },
  };
}

function runPass(pass: Pass, order: (keys: string[]) => string[]) {
  const { kind, name, composed, dropped, isFrozen } = pass;
  const sort = <T>(map: Record<string, T>) =>
    Object.fromEntries(order(Object.keys(map)).map((key) => [key, map[key] as T]));
  const observed = sort(
    Object.fromEntries(Object.entries(pass.observed).map(([key, seen]) => [key, observedOf(key, seen)])),
  );
  const owners = pipelines[kind] ?? [];
  const earlierKeys = Object.keys(observed).filter((key) => isOwnedBy(owners.slice(0, owners.indexOf(name)), key));
  const desired = Object.fromEntries(earlierKeys.sort().map((key) => [key, { earlier: key }]));
  const outcome: Decision | Freeze = isFrozen
    ? frozen
    : {
        ...nothing,
        composed: new Map(order([...composed]).map((key) => [key, composedOf(key)])),
        dropped: new Map(order([...dropped]).map((key) => [key, 'old'])),
      };
  return { observed, desired, ...runEncoded(name, () => outcome, { xr: { ...replicaXr, kind }, observed, desired }) };
}

function isOwnedBy(owners: readonly FunctionName[], key: string): boolean {
  return owners.some((owner) => steps[owner].keyPrefixes.some((prefix) => key.startsWith(prefix)));
}

/** What must be desired of a key, by the rules and without the code: undefined when it must not be. */
function wanted(pass: Pass, key: string): unknown {
  const owners = pipelines[pass.kind] ?? [];
  const seen = pass.observed[key];
  const isOwn = isOwnedBy([pass.name], key);
  const composes = !pass.isFrozen && pass.composed.includes(key);
  const memory =
    seen === undefined || seen.memory === '' ? {} : { annotations: { 'modelberth.dev/memory': seen.memory } };
  const made = (size: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: key, ...memory },
    data: { size },
  });
  if (composes) return made('2');
  if (seen === undefined) return undefined;
  const isNobodys = owners.at(-1) === pass.name && !isOwnedBy(owners, key);
  if (isOwn) return !pass.isFrozen && pass.dropped.includes(key) && !seen.inUse ? undefined : made('1');
  if (isNobodys) return made('1');
  return isOwnedBy(owners.slice(0, owners.indexOf(pass.name)), key) ? { earlier: key } : undefined;
}

describe('for any observed keys and any decision', () => {
  test('S1 desired is what the rules say, key by key: held, carried over, dropped by name, or left to its step', () => {
    fc.assert(
      fc.property(Pass, (pass) => {
        const { response } = runPass(pass, (keys) => keys);
        const keys = [...new Set([...Object.keys(pass.observed), ...(pass.isFrozen ? [] : pass.composed)])];
        const expected = keys.map((key) => [key, wanted(pass, key)]).filter(([, object]) => object !== undefined);
        expect(desiredObjects(response)).toEqual(Object.fromEntries(expected));
      }),
      { numRuns: 300 },
    );
  });

  test('S3 the same request gives the same bytes, and another order of its keys the same response', () => {
    fc.assert(
      fc.property(Pass, (pass) => {
        const once = runPass(pass, (keys) => keys);
        expect(runPass(pass, (keys) => keys).bytes).toEqual(once.bytes);
        expect(canonicalJson(runPass(pass, (keys) => keys.reverse()).response)).toEqual(canonicalJson(once.response));
      }),
      { numRuns: 100 },
    );
  });
});
