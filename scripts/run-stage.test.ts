import { expect, test } from 'vitest';
import { formatStages, runStage } from './run-stage.ts';

test('formatStages shows every stage with its seconds and result when one fails', () => {
  const results = [
    { name: 'types', seconds: 3.04, passed: true, output: '' },
    { name: 'unused code', seconds: 12.5, passed: false, output: 'x' },
  ];
  expect(formatStages(results)).toBe(
    ['STAGE        SECONDS  RESULT', 'types            3.0  passed', 'unused code     12.5  FAILED'].join('\n'),
  );
});

test('runStage fails with what was printed when the command cannot run', async () => {
  expect(await runStage({ name: 'none', command: ['no-such-executable'] })).toMatchObject({
    name: 'none',
    passed: false,
    output: expect.stringContaining('Cannot run "no-such-executable"'),
  });
});
