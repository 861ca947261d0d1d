/**
 * Who may take which accelerators of existing pools, decided in one place: the ledger of the cluster. No node group says
 * who holds a node of a pool, so a replica asks, the ledger grants, and only then its engine is rendered, on the granted
 * nodes and no other: two replicas cannot be promised the same device, and a scheduler cannot break up what is left by
 * spreading small pods. What was granted stays until the replica asks for it no more (S1); the oldest replica is served
 * first, and one that is too large leaves the room to those after it. A node that is gone is replaced by another.
 * Refused: counting free accelerators of a pool without naming nodes. Two nodes with four free do not hold eight.
 * Not done here: what pods of others take on the nodes of a pool; they are for Modelberth alone.
 */
import type { PoolAsk, ReplicaAsks } from './pool-ask.ts';
import type { PoolNode, PoolView } from './pool-node.ts';

/** Accelerators of a pool that are for one replica. */
export interface PoolGrant {
  readonly pool: string;
  readonly namespace: string;
  readonly replica: string;
  readonly acceleratorsPerNode: number;
  readonly nodes: readonly string[];
  /** When they were granted (RFC 3339). */
  readonly since: string;
}

export interface GrantQuestion {
  readonly pools: readonly PoolView[];
  /** The oldest replica first. */
  readonly replicas: readonly ReplicaAsks[];
  /** What was granted before. */
  readonly earlier: readonly PoolGrant[];
  /** The moment of now (RFC 3339). */
  readonly now: string;
}

/** What an ask comes to: its grant, or nothing yet. */
interface Answer {
  readonly who: Pick<ReplicaAsks, 'namespace' | 'replica'>;
  /** Undefined while the replica says nothing: what it has stays as it is. */
  readonly ask: PoolAsk | undefined;
  grant: PoolGrant | undefined;
}

/** The grants of now, by the age of the replica, the oldest first. */
export function grantPools(question: GrantQuestion): readonly PoolGrant[] {
  const answers = question.replicas.flatMap((replica) => answerFromBefore(replica, question));
  for (const answer of answers) replaceLost(answer, answers, question);
  for (const answer of answers) grantNew(answer, answers, question);
  return answers.map(({ grant }) => grant).filter((grant) => grant !== undefined);
}

function answerFromBefore(replica: ReplicaAsks, { earlier, now }: GrantQuestion): readonly Answer[] {
  const { namespace, asks } = replica;
  const who = { namespace, replica: replica.replica };
  const own = earlier.filter((grant) => grant.namespace === namespace && grant.replica === replica.replica);
  if (asks === undefined) return own.map((grant) => ({ who, ask: undefined, grant }));
  return asks.map((ask) => ({
    who,
    ask,
    grant: own.find((grant) => isFor(grant, ask)) ?? assertedGrant(who, ask, now),
  }));
}

/** Tells whether a grant answers an ask. */
export function isFor(grant: PoolGrant, ask: Pick<PoolAsk, 'pool' | 'nodes' | 'acceleratorsPerNode'>): boolean {
  const { pool, acceleratorsPerNode, nodes } = grant;
  return pool === ask.pool && acceleratorsPerNode === ask.acceleratorsPerNode && nodes.length === ask.nodes;
}

/** What a replica holds although the ledger lost its word of it: an engine may run there (S1). */
function assertedGrant(who: Answer['who'], ask: PoolAsk, since: string): PoolGrant | undefined {
  const { pool, acceleratorsPerNode } = ask;
  const nodes = (ask.holds.length === ask.nodes ? [...ask.holds] : [...ask.holds, ...ask.lost]).sort();
  return nodes.length === ask.nodes ? { ...who, pool, acceleratorsPerNode, nodes, since } : undefined;
}

/** Puts other nodes in place of those that are gone; one that only left the pool is still held, and stays. */
function replaceLost(answer: Answer, answers: readonly Answer[], { pools, replicas }: GrantQuestion): void {
  const { ask, grant } = answer;
  const pool = pools.find(({ name }) => name === grant?.pool);
  if (ask === undefined || grant === undefined || pool === undefined) return;
  const isThere = (name: string) => ask.holds.includes(name) || pool.nodes.some((node) => node.name === name);
  for (const lost of grant.nodes.filter((name) => !isThere(name))) {
    const nodes = answer.grant?.nodes ?? [];
    const [found] = findRoom({ answer, pool, nodes: 1, except: nodes, answers, replicas });
    if (found !== undefined) answer.grant = { ...grant, nodes: nodes.map((name) => (name === lost ? found : name)) };
  }
}

function grantNew(answer: Answer, answers: readonly Answer[], { pools, replicas, now }: GrantQuestion): void {
  const { ask, who } = answer;
  const pool = pools.find(({ name }) => name === ask?.pool);
  if (answer.grant !== undefined || ask === undefined || pool === undefined) return;
  const { nodes: count, acceleratorsPerNode } = ask;
  const nodes = findRoom({ answer, pool, nodes: count, except: [], answers, replicas });
  if (nodes.length === count) answer.grant = { ...who, pool: pool.name, acceleratorsPerNode, nodes, since: now };
}

interface RoomQuestion {
  readonly answer: Answer;
  readonly pool: PoolView;
  readonly nodes: number;
  readonly except: readonly string[];
  readonly answers: readonly Answer[];
  readonly replicas: readonly ReplicaAsks[];
}

/** Usable nodes with enough free accelerators, the fullest first so that whole nodes stay whole. */
function findRoom({ answer, pool, nodes, except, answers, replicas }: RoomQuestion): readonly string[] {
  const { namespace, replica } = answer.who;
  const acceleratorsPerNode = answer.ask?.acceleratorsPerNode ?? 0;
  const grants = answers.flatMap(({ grant }) => (grant === undefined ? [] : [grant]));
  // One engine of a replica gives way to the next, so what it has already is room for it.
  const others = listTaken(grants, replicas).filter(
    (taken) => taken.namespace !== namespace || taken.replica !== replica,
  );
  return pool.nodes
    .map((node) => ({ name: node.name, free: freeOn(node, others) }))
    .filter(({ name, free }) => free >= acceleratorsPerNode && !except.includes(name))
    .sort((left, right) => left.free - right.free || (left.name < right.name ? -1 : 1))
    .slice(0, nodes)
    .map(({ name }) => name)
    .sort();
}

/**
 * What is taken of nodes: what is granted, and every node that a replica names in its asks. An engine whose node was
 * replaced leaves it later, and one of which the ledger lost its word may be there.
 */
export function listTaken(grants: readonly PoolGrant[], replicas: readonly ReplicaAsks[]): readonly Taken[] {
  const named = replicas.flatMap(({ namespace, replica, asks = [] }) =>
    asks.map(({ holds, lost, acceleratorsPerNode }) => {
      return { namespace, replica, acceleratorsPerNode, nodes: [...holds, ...lost] };
    }),
  );
  return [...grants, ...named];
}

type Taken = Pick<PoolGrant, 'namespace' | 'replica' | 'acceleratorsPerNode' | 'nodes'>;

/** Accelerators of a node that are taken by nobody; none while it is not usable. */
export function freeOn({ name, usable, accelerators }: PoolNode, all: readonly Taken[]): number {
  const taken = new Map<string, number>();
  for (const { namespace, replica, nodes, acceleratorsPerNode } of all) {
    const who = `${namespace}/${replica}`;
    if (nodes.includes(name)) taken.set(who, Math.max(taken.get(who) ?? 0, acceleratorsPerNode));
  }
  const sum = [...taken.values()].reduce((total, count) => total + count, 0);
  return usable ? Math.max(0, accelerators - sum) : 0;
}
