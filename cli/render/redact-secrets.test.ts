import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { redactSecrets } from './redact-secrets.ts';

const applied = 'kubectl.kubernetes.io/last-applied-configuration';
const secret = (fields: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's' },
  ...fields,
});

describe('redactSecrets shows', () => {
  const rows: readonly [string, KubernetesObject, unknown][] = [
    [
      'the keys of data and not their values',
      secret({ data: { a: 'aGlkZGVu', b: '' } }),
      secret({ data: { a: 'redacted', b: 'redacted' } }),
    ],
    [
      'the keys of stringData and not their values',
      secret({ stringData: { a: 'hidden' } }),
      secret({ stringData: { a: 'redacted' } }),
    ],
    ['no more of a Secret without values', secret({ type: 'Opaque' }), secret({ type: 'Opaque' })],
    ['no data that are no map', secret({ data: 'hidden' }), secret({ data: 'redacted' })],
    [
      'nothing of a Secret that kubectl has written into its annotations',
      secret({ metadata: { name: 's', annotations: { [applied]: '{"data":{"a":"hidden"}}' } } }),
      secret({ metadata: { name: 's', annotations: { [applied]: 'redacted' } } }),
    ],
    [
      'any other object as it is',
      { ...secret({ data: { a: 'b' } }), kind: 'ConfigMap' },
      { ...secret({ data: { a: 'b' } }), kind: 'ConfigMap' },
    ],
  ];
  test.each(rows)('%s', (_name, object, shown) => {
    expect(redactSecrets(object)).toEqual(shown);
  });
});
