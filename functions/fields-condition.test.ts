import { describe, expect, test } from 'vitest';
import type { InactiveField } from '../apis/inactive-fields.ts';
import { fieldsCondition } from './fields-condition.ts';

const fields: readonly InactiveField[] = ['routes[].weight', 'gatewayName', 'c', 'd', 'e', 'f'].map((field) => ({
  kind: 'ModelService',
  path: `spec.${field}`,
  waitsFor: `the work on ${field}`,
}));

/** A ModelService with a spec, and the condition that it had before. */
function service(spec: unknown, before?: 'True' | 'False') {
  const conditions = before === undefined ? [] : [{ type: 'EveryFieldActs', status: before }];
  const metadata = { name: 'chat', namespace: 'team-a' };
  return { apiVersion: 'modelberth.dev/v1alpha1', kind: 'ModelService', metadata, spec, status: { conditions } };
}

const one = {
  type: 'EveryFieldActs',
  status: 'False',
  reason: 'FieldNotActing',
  message:
    'Cannot act on every field of ModelService "chat" yet: spec.gatewayName (it waits for the work on gatewayName); leave out what must act today',
};
const none = {
  type: 'EveryFieldActs',
  status: 'True',
  reason: 'Complete',
  message: 'Every field that is stated acts',
};

describe('L14 S6 fieldsCondition', () => {
  test.each([
    ['says nothing when no field is stated and none was', service({}), undefined],
    ['names the field that is stated', service({ gatewayName: 'inference' }), one],
    ['says the same again while it is stated', service({ gatewayName: 'inference' }, 'False'), one],
    ['takes it back once it is no longer stated', service({}, 'False'), none],
    ['goes on saying so, since core keeps a condition that is not said', service({}, 'True'), none],
    ['says nothing of a field that has its default', service({ routes: [{ weight: 100 }] }), undefined],
    ['says nothing when the spec cannot be read', service('unreadable', 'False'), undefined],
    ['knows no field of another kind', { ...service({ gatewayName: 'a' }), kind: 'InferenceClass' }, undefined],
  ])('%s', (_name, xr, condition) => {
    expect(fieldsCondition(xr, fields)).toEqual(condition);
  });

  test('names five fields and counts the rest', () => {
    const spec = { gatewayName: 'a', routes: [{ weight: 1 }], c: 1, d: 1, e: 1, f: 1 };
    const { message = '' } = fieldsCondition(service(spec), fields) ?? {};
    expect(message.match(/it waits for/g)).toHaveLength(5);
    expect(message).toContain(' and 1 more; ');
  });
});
