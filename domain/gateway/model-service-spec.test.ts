import { expect, test } from 'vitest';
import { ModelServiceSpec, modelName } from './model-service-spec.ts';

test('ModelServiceSpec gives a route its whole weight when none is written', () => {
  expect(ModelServiceSpec.parse({ gatewayName: 'main', routes: [{ deploymentName: 'llama' }] })).toEqual({
    gatewayName: 'main',
    routes: [{ type: 'Deployment', deploymentName: 'llama', weight: 100, priority: 0 }],
  });
});

const refused: readonly [string, readonly Record<string, unknown>[], string][] = [
  ['there is no route', [], 'routes: Too small'],
  [
    'a deployment is named twice',
    [{ deploymentName: 'a' }, { deploymentName: 'a' }],
    'routes: a ModelDeployment is named twice',
  ],
  ['no route has weight', [{ deploymentName: 'a', weight: 0 }], 'routes: every route has weight 0'],
  ['a weight is above 100', [{ deploymentName: 'a', weight: 101 }], 'routes.0.weight: Too big'],
];

test.each(refused)('ModelServiceSpec is refused when %s', (_name, routes, message) => {
  const read = ModelServiceSpec.safeParse({ gatewayName: 'main', routes });
  const issues = read.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];
  expect(issues.some((issue) => issue.startsWith(message))).toBe(true);
});

test('L26 modelName is the namespace and the service', () => {
  expect(modelName('team-a', 'llama')).toBe('team-a/llama');
});
