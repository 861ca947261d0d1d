import { expect, test } from 'vitest';
import { composeRequest, helloObject } from '../../test/compose-request.ts';
import { composePlacement } from './compose.ts';

const kinds = [
  ['InferenceClass', 'Catalogued'],
  ['InferenceCluster', 'StackReady'],
  ['ModelDeployment', 'Placed'],
  ['ModelReplica', 'Placed'],
] as const;

test.each(kinds)('S1 placement of a %s with an unreadable spec says so in %s', (kind, type) => {
  const xr = { ...helloObject('InferenceClass', 'l4'), kind, spec: 'text' };
  expect(composePlacement(composeRequest({ xr }))).toMatchObject({
    frozen: true,
    conditions: [{ type, status: 'Unknown', reason: 'InvalidSpec' }],
  });
});

test('placement of a kind that it does not compose throws, naming those that it does', () => {
  const xr = helloObject('ModelService', 'llama');
  expect(() => composePlacement(composeRequest({ xr }))).toThrow(
    'The placement step composes InferenceClass, InferenceCluster, ModelDeployment, ModelReplica, not ModelService',
  );
});
