/**
 * Another version of Modelberth renders every workload differently. What runs was stored as it was rendered first, so it
 * is emitted byte for byte, and only a new revision is rendered in the new way.
 */
import { describe, expect, test } from 'vitest';
import type { CallFunction } from '../../cli/crossplane/function-client.ts';
import { keyOf } from '../../cli/crossplane/reconcile-composite.ts';
import type { RenderOutput } from '../../cli/crossplane/render-output.ts';
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { label } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readPath } from '../../domain/kubernetes/object.ts';
import { engineEntry } from '../../functions/hand-offs.ts';
import { callInProcess } from './call-in-process.ts';
import { type RenderCase, readCases } from './read-cases.ts';
import { renderCase } from './render-case.ts';

const mark = 'rendered-by-another-version';

/** The functions of a version that puts a mark on everything that it renders for a revision. */
const otherVersion: CallFunction = async (name, request) => {
  const response = await callInProcess(name, request);
  const entry = response.context?.[engineEntry.key];
  const objects = readPath(entry, ['value', 'rendered', 'objects']);
  if (name === 'engine-config' && isRecord(objects))
    for (const object of Object.values(objects))
      Object.assign(readPath(object, ['metadata', 'labels']) ?? {}, { [mark]: 'yes' });
  return response;
};

const steps = readCases().filter(({ xr }) => xr.kind === 'ModelReplica');

/** What a replica emits for its revisions, by key. */
function revisionsOf({ composed }: RenderOutput): ReadonlyMap<string, KubernetesObject> {
  const own = composed.filter((object) => /^(workload|claim|revision)-/.test(keyOf(object)));
  return new Map(own.map((object) => [keyOf(object), object]));
}

/** Whether the revision that an object belongs to was stored before this pass. */
function isStored({ metadata }: KubernetesObject, { observed }: RenderCase): boolean {
  const key = `revision-${metadata.labels?.[label.revision]}`;
  return observed.some((object) => keyOf(object) === key);
}

const seen = { lasting: 0, fresh: 0 };

describe.each(steps)('S1 S2 $name under another version', (step) => {
  test('runs what it ran, and only a new revision is rendered in the new way', async () => {
    const before = await renderCase(step, callInProcess);
    const after = await renderCase(step, otherVersion);
    const emitted = revisionsOf(before);
    expect([...revisionsOf(after).keys()]).toEqual([...emitted.keys()]);
    for (const [key, object] of revisionsOf(after)) {
      const isSame = canonicalJson(object) === canonicalJson(emitted.get(key));
      const isMarked = canonicalJson(object).includes(mark);
      const isHeld = before.deleted.length === 0 && step.observed.some((observed) => keyOf(observed) === key) && isSame;
      const lasting = isStored(object, step) || isHeld;
      expect({ key, isSame, isMarked }).toEqual({ key, isSame: lasting, isMarked: !lasting });
      if (key.startsWith('workload-')) seen[lasting ? 'lasting' : 'fresh'] += 1;
    }
    expect(after.deleted.map(keyOf)).toEqual(before.deleted.map(keyOf));
  });
});

test('there are workloads that last and workloads that are new', () => {
  expect(seen.lasting).toBeGreaterThan(10);
  expect(seen.fresh).toBeGreaterThan(5);
});
