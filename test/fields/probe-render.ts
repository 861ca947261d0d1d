/**
 * Whether a field does anything: objects that differ in it alone are rendered, and what comes of them is compared. What
 * only repeats the field is left out: the template of a composed ModelReplica, and the hashes of it.
 */
import type { Definition } from '../../apis/definition.ts';
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { annotation, label } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readString } from '../../domain/kubernetes/object.ts';
import { readSpec } from '../../functions/freeze.ts';
import { callInProcess } from '../render/call-in-process.ts';
import { canonical } from '../render/canonical.ts';
import type { RenderCase } from '../render/read-cases.ts';
import { renderCase } from '../render/render-case.ts';
import { changeField, fieldAt } from './change-field.ts';
import { type LeafField, listValues } from './leaf-field.ts';

export interface RenderProbe {
  readonly definition: Definition;
  readonly leaf: LeafField;
  /** A valid object of the kind that states every field. */
  readonly example: KubernetesObject;
  /** Where objects of the kind are read, likely places first. */
  readonly cases: readonly RenderCase[];
}

/** The first case in which anything but a repetition of the field changes with it; undefined where it never does. */
export async function findEffect(probe: RenderProbe): Promise<RenderCase | undefined> {
  for (const question of probe.cases) {
    const outcomes = new Set<string>();
    for (const variant of variantsOf(probe, question)) {
      outcomes.add(await outcomeOf(variant));
      if (outcomes.size > 1) return question;
    }
  }
  return undefined;
}

/** The case with each value of the field that the reader of the kind takes. */
function variantsOf(probe: RenderProbe, question: RenderCase): readonly RenderCase[] {
  const { definition, leaf, example } = probe;
  const subjects = [question.xr, ...question.observed, ...question.required].filter(
    ({ kind }) => kind === definition.kind,
  );
  if (subjects.length === 0) return [];
  const path = leaf.path.split('.');
  const stated = subjects.flatMap((object) => [fieldAt(object, path), fieldAt(object, path, 1)]);
  const values = [undefined, ...stated, ...listValues(leaf, sampleOf(example, path))];
  return values.flatMap((value) => {
    const changed = subjects.map((object) => changeValidly(probe, object, value));
    if (changed.some((object) => object === undefined)) return [];
    const replace = (object: KubernetesObject) => changed[subjects.indexOf(object)] ?? object;
    const { xr, observed, required } = question;
    return [{ ...question, xr: replace(xr), observed: observed.map(replace), required: required.map(replace) }];
  });
}

/** What the example states: in the first entry of its lists, or in the second where entries have types of their own. */
function sampleOf(example: KubernetesObject, path: readonly string[]): unknown {
  return fieldAt(example, path) ?? fieldAt(example, path, 1);
}

/** The object with another value, if that is valid. Another `type` may demand that fields beside it come and one goes. */
function changeValidly(
  { definition, leaf, example }: RenderProbe,
  object: KubernetesObject,
  value: unknown,
): KubernetesObject | undefined {
  const path = leaf.path.split('.');
  const changed = changeField(object, { path, value, example });
  const parent = path.slice(0, -1);
  const whole = fieldAt(example, parent);
  const others = path.at(-1) === 'type' && isRecord(whole) ? Object.keys(whole) : [];
  const complete = others.map((name) => {
    const fields = { ...(whole as object), type: value, [name]: undefined };
    return changeField(object, { path: parent, value: fields, example });
  });
  const alone = others.length === 0 ? [] : [changeField(object, { path: parent, value: { type: value }, example })];
  return [changed, ...complete, ...alone]
    .map((candidate) => candidate as KubernetesObject)
    .find((candidate) => readSpec(candidate, definition.spec).state === 'Valid');
}

/** Everything that a render comes to, but for what repeats the spec or says that a field does not act. */
async function outcomeOf(question: RenderCase): Promise<string> {
  const output = await renderCase(question, callInProcess);
  const composed = output.composed.map((object) => (object.kind === 'ModelReplica' ? withoutTemplate(object) : object));
  const events = output.events.filter(({ message }) => !message.includes('EveryFieldActs: '));
  const composite = withoutFieldCondition(output.composite);
  const text = canonicalJson(canonical({ ...output, composite, composed, events }));
  const revisions = [
    readString(output.composite, ['status', 'revision', 'current']),
    ...output.composed.map(({ metadata }) => metadata.labels?.[label.revision]),
  ];
  return revisions.reduce<string>(
    (written, hash) => (hash === undefined ? written : written.replaceAll(hash, 'REVISION')),
    text,
  );
}

function withoutFieldCondition(xr: KubernetesObject): KubernetesObject {
  const conditions = readList(xr, ['status', 'conditions']).filter(isRecord);
  const status = isRecord(xr.status) ? xr.status : {};
  return { ...xr, status: { ...status, conditions: conditions.filter(({ type }) => type !== 'EveryFieldActs') } };
}

/** A composed replica without what it repeats of the claim. */
function withoutTemplate(replica: KubernetesObject): KubernetesObject {
  const repeated = new Set(['template', 'placement', 'rollout', 'conformance']);
  const fields = Object.entries(isRecord(replica.spec) ? replica.spec : {});
  const spec = Object.fromEntries(fields.filter(([name]) => !repeated.has(name)));
  const { [annotation.authorHash]: _hash, ...annotations } = replica.metadata.annotations ?? {};
  return { ...replica, metadata: { ...replica.metadata, annotations }, spec };
}
