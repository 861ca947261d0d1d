import { expect, test } from 'vitest';
import { fieldTitle } from './field-title.ts';

test.each([
  ['replicas', 'Replicas'],
  ['contextTokens', 'Context tokens'],
  ['usdPerHour', 'USD per hour'],
  ['hubTokenSecret', 'Hub token secret'],
  ['nodeRoleArn', 'Node role ARN'],
  ['eks', 'EKS'],
  ['kvTokens', 'KV tokens'],
  ['idleTimeoutSeconds', 'Idle timeout seconds'],
])('the title of %s is "%s"', (name, title) => {
  expect(fieldTitle(name)).toBe(title);
});
