import { expect, test } from 'vitest';
import { measurePlanning } from './measure-planning.ts';

const all = ({ laddersMs, ledgerMs }: ReturnType<typeof measurePlanning>) => laddersMs + ledgerMs;

test('planning for 1,000 pools and 200 replicas takes less than 50 ms, and twice as many take about twice as long', () => {
  measurePlanning({ pools: 250, replicas: 50 });
  const planned = all(measurePlanning({ pools: 1000, replicas: 200 }));
  expect(planned).toBeLessThan(50);
  // A quadratic part would make it four times as long; the machine may be shared.
  expect(all(measurePlanning({ pools: 2000, replicas: 400 })) / planned).toBeLessThan(3);
});
