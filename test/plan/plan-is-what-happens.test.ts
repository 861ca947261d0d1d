import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { InferenceClassSpec } from '../../apis/inferenceclasses/schema.ts';
import { InferenceClusterSpec } from '../../apis/inferenceclusters/schema.ts';
import { ModelDeploymentSpec } from '../../apis/modeldeployments/schema.ts';
import { readInstalledKinds } from '../../cli/crossplane/package-files.ts';
import { identityOf, type World } from '../../cli/crossplane/world.ts';
import { applyClaims } from '../../cli/plan/apply-claims.ts';
import { followChange } from '../../cli/plan/follow-change.ts';
import { compareUsd } from '../../cli/plan/list-capacity.ts';
import type { Plan } from '../../cli/plan/plan.ts';
import { planChange } from '../../cli/plan/plan-change.ts';
import { renderedContent } from '../../cli/plan/rendered-content.ts';
import { readObjects } from '../../cli/read-objects.ts';
import { assumeInstalled } from '../../cli/render/assume-installed.ts';
import { InferenceGatewaySpec } from '../../domain/gateway/inference-gateway-spec.ts';
import { ModelServiceSpec } from '../../domain/gateway/model-service-spec.ts';
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { compositionResourceName } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';
import { listEdits } from '../render/edit-fields.ts';
import { root } from '../render/read-cases.ts';
import { surroundings } from '../render/surroundings.ts';
import { callAt } from './call-at.ts';
import { renderedOf, runAsCore } from './run-as-core.ts';
import { shuffleBy } from './shuffle-by.ts';

const kinds = readInstalledKinds();
const schemas: Readonly<Record<string, z.ZodType>> = {
  InferenceClass: InferenceClassSpec,
  InferenceCluster: InferenceClusterSpec,
  InferenceGateway: InferenceGatewaySpec,
  ModelDeployment: ModelDeploymentSpec,
  ModelService: ModelServiceSpec,
};

/** The example with two replicas that serve. */
const claims = readObjects(join(root, 'examples/hello')).map((claim) =>
  claim.kind === 'ModelDeployment' ? withSpec(claim, { replicas: 2, budget: { usdPerHour: 6 } }) : claim,
);
const live = await serve();

function withSpec(claim: KubernetesObject, fields: object): KubernetesObject {
  return { ...claim, spec: { ...(isRecord(claim.spec) ? claim.spec : {}), ...fields } };
}

async function serve(): Promise<World> {
  const clock = { now: surroundings.now() };
  const follow = { kinds, call: callAt(clock), schema: assumeInstalled(), clock };
  const world = applyClaims(new Map(), claims, kinds);
  return (await followChange({ ...follow, world, rendered: new Map() })).world;
}

/** A day later, so that nothing moves for the time alone. */
const later = () => ({ now: new Date(surroundings.now().getTime() + 24 * 3_600_000) });

/** A plan without the words. */
function outlineOf({ changes, restarts, usdPerHour }: Plan) {
  const lines = changes.map(({ kind, name, action }) => `${action} ${kind}/${name}`);
  return { changes: lines.sort(), restarts: restarts.map(({ pod }) => pod), usd: usdPerHour.after };
}

function isComposed({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[compositionResourceName] !== undefined;
}

/** What became of each composed object and of each claim, seen from before and after only. */
function listActions(before: World, after: World, edited: readonly KubernetesObject[]): readonly string[] {
  const claimed = edited.map(identityOf);
  const composed = [...before.values(), ...after.values()].filter(isComposed).map(identityOf);
  const lines = [...new Set([...claimed, ...composed])].map((identity) => {
    const [was, is] = [before.get(identity), after.get(identity)];
    const { kind, metadata } = (is ?? was) as KubernetesObject;
    return `${actionOf(was, is)} ${kind}/${metadata.name}`;
  });
  return lines.sort();
}

function actionOf(was: KubernetesObject | undefined, is: KubernetesObject | undefined): string {
  if (was === undefined) return 'create';
  if (is === undefined) return 'delete';
  const [former, latter] = [was, is].map((object) => canonicalJson(renderedContent(object, kinds)));
  return former === latter ? 'keep' : 'update';
}

const edits = claims.flatMap((claim) => {
  const schema = schemas[claim.kind];
  if (schema === undefined) throw new Error(`no schema of ${claim.kind}`);
  const spec = isRecord(claim.spec) ? claim.spec : {};
  return listEdits(schema, spec).edits.map(({ name, spec: edited }) => ({
    name: `${claim.kind} ${claim.metadata.name} ${name}`,
    claims: claims.map((other) => (other === claim ? { ...claim, spec: edited } : other)),
  }));
});

/** One edit of each field: the first other value, or that it is taken away. */
const chosen = [...new Map([...edits].reverse().map((edit) => [edit.name.split(' = ')[0], edit])).values()].reverse();
/** Of each part of a claim every third, the first among them: all of them take two minutes. */
const parts = [...Map.groupBy(chosen, ({ name }) => /^\w+ \S+ (?:no )?spec\.\w+/.exec(name)?.[0] ?? name)].map(
  ([part, group]) => [part, group.filter((_edit, index) => index % 3 === 0)] as const,
);

describe('what a plan says is what happens', () => {
  test('there is an edit of every kind that a person writes', () => {
    expect(chosen.length).toBeGreaterThan(100);
    expect(new Set(chosen.map(({ name }) => name.split(' ')[0])).size).toBe(5);
    expect([...live.values()].filter(({ kind }) => kind === 'Pod')).toHaveLength(2);
  });

  test.each(parts)('L41 where %s is edited', { timeout: 300_000 }, async (_part, group) => {
    for (const [index, { name, claims: edited }] of group.entries()) {
      const planned = later();
      const plan = await planChange({ claims: edited, live, kinds, clock: planned, call: callAt(planned) });
      const clock = later();
      const core = { kinds, clock, call: callAt(clock) };
      const rendered = await renderedOf({ ...core, world: live });
      const world = applyClaims(live, edited, kinds);
      const happened = await runAsCore({ ...core, world, rendered, shuffle: shuffleBy(index + 1) });
      const names = new Set(
        [...live.values()].filter(({ kind }) => kind === 'Pod').map(({ metadata }) => metadata.name),
      );
      // Replicas that move to other nodes move when their own have joined, whichever is first.
      const inOrder = (pods: readonly string[]) => (name.includes(' spec.placement') ? pods.toSorted() : pods);
      const outline = outlineOf(plan);
      expect({ name, ...outline, restarts: inOrder(outline.restarts) }).toEqual({
        name,
        changes: listActions(live, happened.world, edited),
        restarts: inOrder(happened.restarted.filter((pod) => names.has(pod))),
        usd: compareUsd(live, happened.world).after,
      });
    }
  });
});
