/**
 * Builds a random object out of random ownership, and from the same tree what each manager's `fieldsV1` says and what
 * of it is ours. The sets are built as structured-merge-diff builds them (typed/tofieldset.go, read 2026-12-02): a leaf
 * names itself, a list item names itself and its key, and a map is there when something in it is.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject, KubernetesObject, ManagedFieldsEntry } from './object.ts';
import { restoreRendered } from './owned-fields.ts';

/** Who owns a leaf, as bits: two entries of ours, and another manager. None of them means a default of the server. */
const firstOfOurs = 1;
const secondOfOurs = 2;
const theirs = 4;
const ours = firstOfOurs + secondOfOurs;
type Owners = number;

type Tree =
  | { readonly kind: 'leaf'; readonly value: Json; readonly owners: Owners }
  | { readonly kind: 'map'; readonly fields: Readonly<Record<string, Tree>> }
  | { readonly kind: 'keyed'; readonly items: readonly KeyedItem[] }
  | { readonly kind: 'set'; readonly items: readonly { readonly value: string; readonly owners: Owners }[] };

interface KeyedItem {
  readonly name: string;
  readonly owners: Owners;
  readonly fields: Readonly<Record<string, Tree>>;
}

const someOwners = fc.nat({ max: 7 });
const someName = fc.constantFrom('a', 'b', 'c', 'd');
const someValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, 0, false, '', 'text'),
  fc.array(fc.constantFrom('x', 'y'), { maxLength: 3 }),
  fc.dictionary(someName, fc.integer(), { minKeys: 1, maxKeys: 2 }),
);

const { tree: someTree, fields: someFields } = fc.letrec<{ tree: Tree; fields: Record<string, Tree> }>((tie) => ({
  fields: fc.dictionary(someName, tie('tree'), { minKeys: 1, maxKeys: 3 }),
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant('leaf' as const), value: someValue, owners: someOwners }),
    fc.record({ kind: fc.constant('map' as const), fields: tie('fields') }),
    fc.record({
      kind: fc.constant('keyed' as const),
      items: fc.uniqueArray(fc.record({ name: someName, owners: someOwners, fields: tie('fields') }), {
        selector: (item) => item.name,
        minLength: 1,
        maxLength: 3,
      }),
    }),
    fc.record({
      kind: fc.constant('set' as const),
      items: fc.uniqueArray(fc.record({ value: someName, owners: someOwners }), {
        selector: (item) => item.value,
        minLength: 1,
        maxLength: 3,
      }),
    }),
  ),
}));

/** Keeps the entries that have a value; undefined when none has. */
function present<T>(entries: readonly (readonly [string, T | undefined])[]): Record<string, T> | undefined {
  const kept = entries.filter((entry): entry is readonly [string, T] => entry[1] !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** What the `fieldsV1` of an owner says about a tree; undefined when it owns nothing of it. */
function fieldsOf(tree: Tree, owner: Owners): JsonObject | undefined {
  switch (tree.kind) {
    case 'leaf':
      return (tree.owners & owner) === 0 ? undefined : {};
    case 'map':
      return mapFields(tree.fields, owner);
    case 'keyed':
      return present(tree.items.map((item) => [`k:{"name":"${item.name}"}`, itemFields(item, owner)]));
    case 'set':
      return present(
        tree.items.map(({ value, owners }) => [
          `v:"${value}"`,
          (owners & owner) === 0 ? undefined : ({} as JsonObject),
        ]),
      );
  }
}

function mapFields(fields: Readonly<Record<string, Tree>>, owner: Owners): JsonObject | undefined {
  return present(Object.entries(fields).map(([name, child]) => [`f:${name}`, fieldsOf(child, owner)]));
}

/** An item that is applied has its key in it, so who owns anything of it owns the item and its key. */
function itemFields(item: KeyedItem, owner: Owners): JsonObject | undefined {
  const children = mapFields(item.fields, owner);
  return children === undefined && (item.owners & owner) === 0 ? undefined : { '.': {}, 'f:name': {}, ...children };
}

/** The part of a tree that a set of owners has; undefined when that is nothing. */
function partOf(tree: Tree, owners: Owners | 'Everyone'): Json | undefined {
  const has = (leaf: Owners) => owners === 'Everyone' || (leaf & owners) !== 0;
  switch (tree.kind) {
    case 'leaf':
      return has(tree.owners) ? tree.value : undefined;
    case 'map':
      return mapPart(tree.fields, owners);
    case 'keyed': {
      const items = tree.items.map((item) => {
        const children = mapPart(item.fields, owners);
        return children === undefined && !has(item.owners) ? undefined : { ...children, name: item.name };
      });
      return listPart(items);
    }
    case 'set':
      return listPart(tree.items.map((item) => (has(item.owners) ? item.value : undefined)));
  }
}

function mapPart(fields: Readonly<Record<string, Tree>>, owners: Owners | 'Everyone'): JsonObject | undefined {
  return present(Object.entries(fields).map(([name, child]) => [name, partOf(child, owners)]));
}

function listPart(items: readonly (Json | undefined)[]): Json | undefined {
  const kept = items.filter((item) => item !== undefined);
  return kept.length === 0 ? undefined : kept;
}

/** Core always applies the key of the composed resource, so no entry of ours is ever empty. */
const key: JsonObject = { 'f:annotations': { 'f:crossplane.io/composition-resource-name': {} } };

function entry(manager: string, operation: string, fields: JsonObject | undefined): ManagedFieldsEntry {
  return { manager, operation, fieldsV1: { 'f:metadata': key, ...(fields === undefined ? {} : { 'f:spec': fields }) } };
}

const prefix = 'apiextensions.crossplane.io/composed';

function observe(fields: Readonly<Record<string, Tree>>, status: JsonObject): KubernetesObject {
  const managedFields: ManagedFieldsEntry[] = [
    entry('kubectl-edit', 'Update', mapFields(fields, theirs)),
    entry(`${prefix}/0f1e`, 'Apply', mapFields(fields, firstOfOurs)),
    entry('argocd-controller', 'Apply', mapFields(fields, theirs)),
    entry(`${prefix}/beef`, 'Apply', mapFields(fields, secondOfOurs)),
    { manager: `${prefix}/0f1e`, operation: 'Apply', subresource: 'status', fieldsV1: { 'f:status': {} } },
  ];
  const spec = mapPart(fields, 'Everyone') ?? {};
  return { apiVersion: 'example.com/v1', kind: 'Sample', metadata: { name: 'a', managedFields }, spec, status };
}

test('S1 restoreRendered gives back exactly what is ours, never a status, a default or a field of somebody else', () => {
  fc.assert(
    fc.property(someFields, fc.dictionary(someName, fc.integer(), { minKeys: 1 }), (fields, status) => {
      const spec = mapPart(fields, ours);
      expect(restoreRendered(observe(fields, status))).toEqual({
        apiVersion: 'example.com/v1',
        kind: 'Sample',
        metadata: { name: 'a' },
        ...(spec === undefined ? {} : { spec }),
      });
    }),
    { numRuns: 500 },
  );
});

test('S1 restoreRendered of what it restored is the same when it is all ours', () => {
  fc.assert(
    fc.property(someTree, (tree) => {
      const restored = restoreRendered(observe({ a: tree }, { ready: true }));
      expect(restoreRendered({ ...restored, status: { ready: false } })).toEqual(restored);
    }),
  );
});
