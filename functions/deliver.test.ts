import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';
import { Access } from '../domain/kubernetes/remote/access.ts';
import { wrapManifest } from '../domain/kubernetes/remote/remote-object.ts';
import { composeRequest, helloReplica } from '../test/compose-request.ts';
import type { Composed } from './compose.ts';
import { deliver, findBlindness, findRefusal, hasRemoteParts, lastAsked, seeObserved, shownObject } from './deliver.ts';
import { settleDecision } from './settle-decision.ts';

const local = Access.parse({});
const remote = Access.parse({ type: 'Remote', providerConfigName: 'tokyo', namespacePrefix: 'hub-' });
const service: KubernetesObject = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'llama-0' }, spec: { a: 1 } };
const item: Composed = { object: service, ready: true, state: 'Ready', why: 'made' };
const place = { namespace: 'chat', owner: 'llama-0', stored: undefined };
const wrapped = wrapManifest({ access: remote, manifest: service, ...place });

function observed(status: unknown, metadata: KubernetesObject['metadata'] = {}): KubernetesObject {
  return { ...wrapped, metadata: { ...wrapped.metadata, ...metadata }, status };
}

function synced(status: string, message = ''): KubernetesObject {
  return observed({ atProvider: { manifest: service }, conditions: [{ type: 'Synced', status, message }] });
}

describe('deliver', () => {
  const rows: readonly [
    string,
    string,
    Access | undefined,
    KubernetesObject | undefined,
    KubernetesObject | undefined,
  ][] = [
    ['leaves what runs on the own cluster as it is', 'engine-service', local, undefined, service],
    ['leaves it as it is where no access is known', 'engine-service', undefined, undefined, service],
    ['wraps what runs on another cluster', 'engine-service', remote, undefined, wrapped],
    ['keeps node groups in the control plane', 'pool-a', remote, undefined, service],
    ['keeps revisions in the control plane: they are memory', 'revision-a', remote, undefined, service],
    ['keeps what looks at the cluster in the control plane', 'observe-nodes', remote, undefined, service],
    ['S1 never puts an object where an Object is', 'engine-service', local, synced('True'), undefined],
    ['S1 never puts an Object where an object is', 'engine-service', remote, service, undefined],
  ];
  test.each(rows)('%s', (_name, key, access, stored, expected) => {
    expect(deliver(item, { ...place, key, access, stored })?.object).toEqual(expected);
  });

  test('S1 carries our memory on the Object and on the object of the cluster, each on its own', () => {
    const inner = {
      ...service,
      metadata: { name: 'llama-0', annotations: { 'modelberth.dev/rung': 'l4', other: 'x' } },
    };
    const stored = observed(
      { atProvider: { manifest: inner } },
      { annotations: { 'modelberth.dev/outer': '1', foreign: 'y' } },
    );
    const object = deliver(item, { ...place, key: 'engine-service', access: remote, stored })?.object;
    expect(object?.metadata.annotations).toEqual({ 'modelberth.dev/outer': '1' });
    expect(object?.spec).toMatchObject({
      forProvider: { manifest: { metadata: { annotations: { 'modelberth.dev/rung': 'l4' } } } },
    });
  });

  test('S6 says what the cluster refuses, and does not call it ready', () => {
    const stored = synced('False', 'update failed: invalid');
    expect(deliver(item, { ...place, key: 'engine-service', access: remote, stored })).toMatchObject({
      ready: false,
      state: 'Waiting',
      why: 'the cluster refuses it: update failed: invalid',
    });
  });
});

describe('what a decision sees', () => {
  const stored = new Map([
    ['engine-service', synced('True')],
    ['engine-unseen', wrapped],
    ['pool-a', service],
  ]);

  test('S5 is what was seen on the cluster, and not what was only asked for', () => {
    expect([...seeObserved(stored)]).toEqual([
      ['engine-service', service],
      ['pool-a', service],
    ]);
    const asked = { ...service, metadata: { name: 'llama-0', namespace: 'hub-chat' } };
    expect(lastAsked(stored, 'engine-unseen')).toEqual(asked);
    expect(lastAsked(stored, 'pool-a')).toEqual(service);
    expect(lastAsked(stored, 'nothing')).toBeUndefined();
  });

  test('a row is about the object of the cluster', () => {
    expect([wrapped, service, { ...wrapped, spec: 1 }].map(shownObject).map(({ kind }) => kind)).toEqual([
      'Service',
      'Service',
      'Object',
    ]);
  });

  test('S7 is told apart from what is out of sight, and from what the cluster refuses', () => {
    const blind = new Map([...stored, ['workload-engine', synced('False', 'connect failed: timeout')] as const]);
    const refused = new Map([...stored, ['workload-engine', synced('False', 'create failed: quota')] as const]);
    expect(findBlindness(stored)).toBeUndefined();
    expect(findBlindness(refused)).toBeUndefined();
    expect(findBlindness(blind)).toBe('Service "llama-0" is out of sight: connect failed: timeout');
    expect(findRefusal(blind)).toBeUndefined();
    expect(findRefusal(refused)).toBe('The cluster refuses Service "llama-0": create failed: quota');
    expect([stored, new Map([['pool-a', service]])].map(hasRemoteParts)).toEqual([true, false]);
  });
});

test('S1 S7 whatever the status of an Object, a step that does not compose it emits it as it was', () => {
  const status = fc.oneof(
    fc.constant(undefined),
    fc.constant('unreadable'),
    fc.record({
      atProvider: fc.oneof(fc.constant({}), fc.constant({ manifest: service }), fc.constant({ manifest: 'text' })),
      conditions: fc.array(
        fc.record({
          type: fc.constantFrom('Synced', 'Ready'),
          status: fc.constantFrom('True', 'False', 'Unknown'),
          message: fc.constantFrom('connect failed: x', 'create failed: y', ''),
        }),
        { maxLength: 2 },
      ),
    }),
  );
  fc.assert(
    fc.property(status, fc.boolean(), (seen, isFrozen) => {
      const request = composeRequest({ xr: helloReplica, observed: { 'engine-service': observed(seen) } });
      const nothing = { requirements: { resources: {} }, conditions: [] };
      const outcome = isFrozen
        ? ({ ...nothing, frozen: true } as const)
        : { ...nothing, composed: new Map(), status: {}, access: remote };
      const { composed, rows } = settleDecision('engine-config', request, outcome);
      expect(composed.get('engine-service')?.object).toEqual(wrapped);
      expect(rows).toMatchObject([{ name: 'llama-0', kind: 'Service', state: 'Held' }]);
    }),
  );
});
