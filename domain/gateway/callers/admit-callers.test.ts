import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { CallerAuth } from '../caller-auth.ts';
import { admitCallers, type CallerScene } from './admit-callers.ts';
import { listCallers } from './caller-status.ts';
import { keySecretKey, keySecretName, renderKeySecret } from './key-secret.ts';

const now = new Date('2026-12-01T12:00:00Z');
const later = '2026-12-01T12:10:00Z';
const past = '2026-12-01T11:00:00Z';
const namespace = 'gw';

type Entry = Record<string, unknown>;
type Data = Readonly<Record<string, string>>;

const callersOf = (entries: readonly Entry[]) => CallerAuth.parse({ type: 'ApiKey', callers: entries }).callers ?? [];
const secretRef = (name: string) => ({ secretRef: { name } });

function encode(data: Data): ReadonlyMap<string, string> {
  return new Map(Object.entries(data).map(([id, key]) => [id, btoa(key)]));
}

function secret(data: Data): KubernetesObject {
  const fields = { data: Object.fromEntries(encode(data)) };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'any', namespace }, ...fields };
}

interface World {
  readonly entries: readonly Entry[];
  /** Data of the user's Secrets; null is one that is absent, and one that is left out has not been fetched. */
  readonly secrets?: Readonly<Record<string, Data | null>>;
  /** Data of the composed Secrets by the name of the entry. */
  readonly held?: Readonly<Record<string, Data>>;
  readonly named?: readonly string[];
  readonly at?: Date;
}

function sceneOf({ entries, secrets = {}, held = {}, named = [], at = now }: World): CallerScene {
  const callers = callersOf(entries);
  const observed = callers.flatMap((caller) => {
    const data = held[caller.secretRef?.name ?? caller.id ?? ''];
    const owner = { gateway: 'main', namespace, caller };
    const keys = data === undefined ? undefined : encode(data);
    return keys === undefined
      ? []
      : [[keySecretKey(caller), renderKeySecret(owner, { keys, isExpired: false })] as const];
  });
  const credentialRefs = named.map((name) => ({ name }));
  const policy = { apiVersion: 'x/v1', kind: 'SecurityPolicy', metadata: {}, spec: { apiKeyAuth: { credentialRefs } } };
  return {
    gateway: 'main',
    namespace,
    callers,
    fetched: (name) => {
      const data = secrets[name];
      if (data === undefined) return undefined;
      return data === null ? { state: 'Absent' } : { state: 'Present', secret: secret(data) };
    },
    observed: new Map(observed),
    policy: named.length === 0 ? undefined : policy,
    now: at,
    randomKey: () => 'random',
  };
}

/** What is admitted, as plain text, without what nothing is said of. */
function summarise(world: World) {
  return admitCallers(sceneOf(world)).map(({ state, keys, secretName, refusals }) => ({
    state,
    keys: [...(keys ?? [])].map(([id, value]) => `${id}=${atob(value)}`),
    ...(secretName === undefined ? {} : { secretName }),
    ...(refusals.length === 0 ? {} : { refusals }),
  }));
}

const team = secretRef('team');
const other = secretRef('other');
const heldTeam = { team: { ci: 'k1' } };

const table: readonly { readonly name: string; readonly world: World; readonly seen: readonly object[] }[] = [
  {
    name: 'L29 the keys of a Secret are composed first and named once they exist',
    world: { entries: [team], secrets: { team: { ci: 'k1' } } },
    seen: [{ state: 'Waiting', keys: ['ci=k1'] }],
  },
  {
    name: 'L29 a composed Secret is named',
    world: { entries: [team], secrets: { team: { ci: 'k1' } }, held: heldTeam },
    seen: [{ state: 'Admitted', keys: ['ci=k1'], secretName: 'main-keys-team' }],
  },
  {
    name: 'a Secret that was never there is said and composes nothing',
    world: { entries: [team], secrets: { team: null } },
    seen: [{ state: 'Waiting', keys: [], refusals: ['Secret "team" does not exist in namespace "gw"'] }],
  },
  {
    name: 'S1 a Secret that is gone takes nobody out',
    world: { entries: [team], secrets: { team: null }, held: heldTeam },
    seen: [
      {
        state: 'Admitted',
        keys: ['ci=k1'],
        secretName: 'main-keys-team',
        refusals: ['Secret "team" does not exist in namespace "gw"; its callers are admitted as before'],
      },
    ],
  },
  {
    name: 'S1 a Secret that has not been fetched takes nobody out and says nothing',
    world: { entries: [team], held: heldTeam },
    seen: [{ state: 'Admitted', keys: ['ci=k1'], secretName: 'main-keys-team' }],
  },
  {
    name: 'S1 a policy of an earlier version goes on naming the Secret of the claim until there is a composed one',
    world: { entries: [team], secrets: { team: { ci: 'k1' } }, named: ['team'] },
    seen: [{ state: 'Admitted', keys: ['ci=k1'], secretName: 'team' }],
  },
  {
    name: 'S1 that policy is not taken back because the Secret is gone',
    world: { entries: [team], secrets: { team: null }, named: ['team'] },
    seen: [
      {
        state: 'Waiting',
        keys: [],
        secretName: 'team',
        refusals: ['Secret "team" does not exist in namespace "gw"'],
      },
    ],
  },
  {
    name: 'S1 a composed Secret that somebody deleted stays named, because it is made again',
    world: { entries: [team], secrets: { team: { ci: 'k1' } }, named: ['main-keys-team'] },
    seen: [{ state: 'Admitted', keys: ['ci=k1'], secretName: 'main-keys-team' }],
  },
  {
    name: 'a key that is taken out of its Secret is revoked',
    world: { entries: [team], secrets: { team: { ci: 'k1' } }, held: { team: { ci: 'k1', agent: 'k2' } } },
    seen: [{ state: 'Admitted', keys: ['ci=k1'], secretName: 'main-keys-team' }],
  },
  {
    name: 'a key that two callers of a Secret have is admitted once',
    world: { entries: [team], secrets: { team: { a: 'k1', b: 'k1' } }, held: { team: {} } },
    seen: [
      {
        state: 'Admitted',
        keys: ['a=k1'],
        secretName: 'main-keys-team',
        refusals: ['the key of "b" in Secret "team" is also that of "a" in Secret "team"'],
      },
    ],
  },
  {
    name: 'an id of two Secrets is admitted from the first',
    world: { entries: [team, other], secrets: { team: { ci: 'k1' }, other: { ci: 'k2' } } },
    seen: [
      { state: 'Waiting', keys: ['ci=k1'] },
      {
        state: 'Waiting',
        keys: [],
        refusals: ['the key of "ci" in Secret "other" is not admitted, because Secret "team" has that id too'],
      },
    ],
  },
  {
    name: 'S1 a key in use comes before a new one of an earlier Secret, whose own earlier key stays',
    world: {
      entries: [team, other],
      secrets: { team: { ci: 'k2' }, other: { agent: 'k2' } },
      held: { team: { ci: 'k1' }, other: { agent: 'k2' } },
    },
    seen: [
      {
        state: 'Admitted',
        keys: ['ci=k1'],
        secretName: 'main-keys-team',
        refusals: ['the key of "ci" in Secret "team" is also that of "agent" in Secret "other"; its earlier key stays'],
      },
      { state: 'Admitted', keys: ['agent=k2'], secretName: 'main-keys-other' },
    ],
  },
  {
    name: 'a key with a line break at its end is refused, because no header can carry it',
    world: { entries: [team], secrets: { team: { ci: 'k1\n' } } },
    seen: [
      {
        state: 'Waiting',
        keys: [],
        refusals: ['the key of "ci" in Secret "team" has white space in it, such as a line break at its end'],
      },
    ],
  },
  {
    name: 'an empty key revokes',
    world: { entries: [team], secrets: { team: { ci: '' } }, held: heldTeam },
    seen: [
      {
        state: 'Waiting',
        keys: [],
        secretName: 'main-keys-team',
        refusals: ['the key of "ci" in Secret "team" is empty'],
      },
    ],
  },
  {
    name: 'S3 a generated key is made once and copied from then on',
    world: { entries: [{ type: 'Generated', id: 'ci' }], held: { ci: { ci: 'made-earlier' } } },
    seen: [{ state: 'Admitted', keys: ['ci=made-earlier'], secretName: 'main-key-ci' }],
  },
  {
    name: 'a generated key is random at first',
    world: { entries: [{ type: 'Generated', id: 'ci' }] },
    seen: [{ state: 'Waiting', keys: ['ci=random'] }],
  },
  {
    name: 'keys are admitted until they expire, beside those that replace them',
    world: {
      entries: [{ ...team, expiresAt: later }, other],
      secrets: { team: { 'ci.1': 'k1' }, other: { 'ci.2': 'k2' } },
      held: { team: { 'ci.1': 'k1' }, other: { 'ci.2': 'k2' } },
    },
    seen: [
      { state: 'Admitted', keys: ['ci.1=k1'], secretName: 'main-keys-team' },
      { state: 'Admitted', keys: ['ci.2=k2'], secretName: 'main-keys-other' },
    ],
  },
  {
    name: 'keys that have expired are not named and not kept',
    world: { entries: [{ ...team, expiresAt: past }], secrets: { team: { ci: 'k1' } }, held: heldTeam },
    seen: [{ state: 'Expired', keys: [] }],
  },
];

test.each(table)('$name', ({ world, seen }) => {
  expect(summarise(world)).toEqual(seen);
});

test('S4 keys that have expired once stay so whatever the clock says, until the claim says another time', () => {
  const [caller] = callersOf([{ ...team, expiresAt: later }]);
  if (caller === undefined) throw new Error('no caller');
  const object = renderKeySecret({ gateway: 'main', namespace, caller }, { keys: new Map(), isExpired: true });
  const observed = new Map([[keySecretKey(caller), object]]);
  const scene = { ...sceneOf({ entries: [{ ...team, expiresAt: later }], secrets: { team: { ci: 'k1' } } }), observed };
  expect(admitCallers(scene).map(({ state }) => state)).toEqual(['Expired']);
  const postponed = callersOf([{ ...team, expiresAt: '2027-01-01T00:00:00Z' }]);
  expect(admitCallers({ ...scene, callers: postponed }).map(({ state }) => state)).toEqual(['Admitted']);
});

const someData = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('k1', 'k2', 'k3', '', 'k4 '), {
  noNullPrototype: true,
});
const someSecrets = fc.record({ team: someData, other: someData });

test('S1 whatever the Secrets hold, no id and no key is admitted twice, and no key is ever shown', () => {
  fc.assert(
    fc.property(someSecrets, someSecrets, (secrets, held) => {
      const seen = admitCallers(sceneOf({ entries: [team, other], secrets, held }));
      const admitted = seen.flatMap(({ keys }) => [...(keys ?? [])]);
      expect(new Set(admitted.map(([id]) => id)).size).toBe(admitted.length);
      expect(new Set(admitted.map(([, key]) => key)).size).toBe(admitted.length);
      const shown = JSON.stringify([seen.map(({ refusals }) => refusals), listCallers('main', seen)]);
      expect(shown).not.toMatch(/k[1-4]/);
    }),
  );
});

test('two entries never share a composed Secret, whatever their names', () => {
  const callers = callersOf([secretRef('a.b'), secretRef('a-b'), { type: 'Generated', id: 'a.b' }]);
  expect(new Set(callers.map((caller) => keySecretName('main', caller))).size).toBe(3);
  expect(new Set(callers.map(keySecretKey)).size).toBe(3);
});
