import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { readReplica } from './replica-endpoint.ts';

function replica(fields: Record<string, unknown>, metadata: Record<string, unknown> = {}): KubernetesObject {
  return {
    apiVersion: 'modelberth.dev/v1alpha1',
    kind: 'ModelReplica',
    metadata: { name: 'llama-0', generation: 3, ...metadata },
    ...fields,
  };
}

const endpoint = { service: 'llama-0', port: 8000, protocols: ['OpenAI', 'Anthropic'] };
const ready = { conditions: [{ type: 'EngineReady', status: 'True' }] };
const bare = {
  name: 'llama-0',
  deployment: 'llama',
  generation: 3,
  traffic: 'Serve',
  engineReady: 'Unknown',
  isHeldBack: false,
  endpoint: undefined,
};

function checked(status: string, reason: string) {
  return { type: 'ConformanceChecked', status, reason };
}

const table: readonly [string, KubernetesObject, Record<string, unknown>][] = [
  ['it has no status yet', replica({ spec: { traffic: 'Serve' } }), bare],
  ['it says nothing of traffic', replica({ spec: {} }), bare],
  [
    'its engine is ready',
    replica({ spec: {}, status: { ...ready, engine: { endpoint } } }),
    { ...bare, engineReady: 'True', endpoint },
  ],
  [
    'L6 its revision is tried',
    replica({ spec: {}, status: { conditions: [checked('Unknown', 'ConformanceRunning')] } }),
    { ...bare, isHeldBack: true },
  ],
  [
    'L6 its revision failed a case',
    replica({ spec: {}, status: { conditions: [checked('False', 'CaseFailed')] } }),
    { ...bare, isHeldBack: true },
  ],
  [
    'S1 its revision could not be tried',
    replica({ spec: {}, status: { conditions: [checked('Unknown', 'ConformanceNotRun')] } }),
    bare,
  ],
  ['it drains', replica({ spec: { traffic: 'Drain' } }), { ...bare, traffic: 'Drain' }],
  [
    'it is being deleted',
    replica({ spec: {} }, { deletionTimestamp: '2026-12-01T00:00:00Z' }),
    { ...bare, traffic: 'Drain' },
  ],
  [
    'a fatal has turned its conditions to Unknown',
    replica({ spec: {}, status: { conditions: [{ type: 'EngineReady', status: 'Unknown', reason: 'FatalError' }] } }),
    bare,
  ],
];

test.each(table)('readReplica reads a ModelReplica when %s', (_name, object, expected) => {
  expect(readReplica(object, 'llama')).toEqual({ state: 'Read', replica: expected });
});

const unreadable: readonly [string, KubernetesObject, string][] = [
  ['S1 its spec is text', replica({ spec: 'broken' }), 'spec is no object'],
  ['its status is text', replica({ spec: {}, status: 'broken' }), 'status is no object'],
  [
    'its traffic is unknown',
    replica({ spec: { traffic: 'Half' } }),
    'spec.traffic is none of "Serve", "Drain" and "Detach"',
  ],
  [
    'its endpoint has no port',
    replica({ spec: {}, status: { engine: { endpoint: { ...endpoint, port: 'http' } } } }),
    'status.engine.endpoint cannot be read',
  ],
  [
    'its engine does not speak OpenAI',
    replica({ spec: {}, status: { engine: { endpoint: { ...endpoint, protocols: ['Anthropic'] } } } }),
    'status.engine.endpoint cannot be read',
  ],
];

test.each(unreadable)('readReplica does not guess when %s (S1)', (_name, object, found) => {
  const why = `Cannot read ModelReplica "llama-0": ${found}; run the same version of every function`;
  expect(readReplica(object, 'llama')).toEqual({ state: 'Unreadable', why });
});
