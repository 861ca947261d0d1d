import { describe, expect, test } from 'vitest';
import type { RenderOutput } from '../../cli/crossplane/render-output.ts';
import { isRecord, type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import { callInProcess } from '../render/call-in-process.ts';
import { type RenderCase, readCases, readExpected } from '../render/read-cases.ts';
import { renderCase } from '../render/render-case.ts';
import { readTable } from './read-table.ts';

const { rows } = readTable();
const steps = new Map(readCases().map((step) => [step.name, step]));

function stepOf(name: string): RenderCase {
  const step = steps.get(name);
  if (step === undefined) throw new Error(`test/render/cases has no "${name}"`);
  return step;
}

function statusOf({ composite }: RenderOutput, type: string): string {
  const found = readList(composite, ['status', 'conditions'])
    .filter(isRecord)
    .find((condition) => condition.type === type);
  return found === undefined ? 'unsaid' : `${found.status} ${found.reason}`;
}

/** A step in which nothing was said before, and objects of some kinds are not there. */
function without({ xr, observed, required, ...step }: RenderCase, kinds: readonly string[]): RenderCase {
  const isSeen = ({ kind }: KubernetesObject) => !kinds.includes(kind);
  const { status } = xr;
  const { conditions: _conditions, ...rest } = isRecord(status) ? status : {};
  return { ...step, xr: { ...xr, status: rest }, observed: observed.filter(isSeen), required: required.filter(isSeen) };
}

describe('L33 the truth table of readiness', () => {
  test.each(rows)('$on $condition is $status $reason where $fact', async (row) => {
    const step = stepOf(row.case);
    expect(step.xr.kind).toBe(row.on);
    const output = await renderCase(without(step, []), callInProcess);
    expect(statusOf(output, row.condition)).toBe(`${row.status} ${row.reason}`);
  });

  const proven = rows.filter(({ status }) => status === 'True');
  test.each(proven)('S5 $on $condition is not True where $objects is hidden from $case', async (row) => {
    const step = stepOf(row.case);
    const objects = [...step.observed, ...step.required].filter(({ kind }) => row.objects.includes(kind));
    expect(objects.length).toBeGreaterThan(0);
    const output = await renderCase(without(step, row.objects), callInProcess);
    expect(statusOf(output, row.condition)).not.toMatch(/^True/);
  });

  test('has every state that a golden case shows of its conditions', () => {
    const known = new Set(rows.map(({ on, condition, status, reason }) => `${on} ${condition} ${status} ${reason}`));
    const types = new Set(rows.map(({ on, condition }) => `${on} ${condition}`));
    const shown = [...steps.values()].flatMap((step) =>
      readList(readExpected(step), ['composite', 'status', 'conditions'])
        .filter(isRecord)
        .filter(({ type }) => types.has(`${step.xr.kind} ${type}`))
        .map(({ type, status, reason }) => `${step.xr.kind} ${type} ${status} ${reason}`),
    );
    expect([...new Set(shown)].filter((state) => !known.has(state)).sort()).toEqual([]);
  });
});
