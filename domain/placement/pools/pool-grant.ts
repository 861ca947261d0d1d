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
  const { replicas, earlier } = question;
  const before = Map.groupBy(earlier, whoOf);
  const answers = replicas.flatMap((replica) => answerFromBefore(replica, before.get(whoOf(replica)) ?? [], question));
  const grants = answers.flatMap(({ grant }) => (grant === undefined ? [] : [grant]));
  const ledger = {
    pools: new Map(question.pools.map((pool) => [pool.name, pool])),
    taken: indexTaken(grants, replicas),
    now: question.now,
  };
  for (const answer of answers) replaceLost(answer, ledger);
  for (const answer of answers) grantNew(answer, ledger);
  return answers.map(({ grant }) => grant).filter((grant) => grant !== undefined);
}

/** What is granted while it is being decided. */
interface Ledger {
  readonly pools: ReadonlyMap<string, PoolView>;
  readonly taken: Taken;
  readonly now: string;
}

function answerFromBefore(
  replica: ReplicaAsks,
  own: readonly PoolGrant[],
  { now }: Pick<GrantQuestion, 'now'>,
): readonly Answer[] {
  const { namespace, asks } = replica;
  const who = { namespace, replica: replica.replica };
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
function replaceLost(answer: Answer, { pools, taken }: Ledger): void {
  const { ask, grant } = answer;
  const pool = pools.get(grant?.pool ?? '');
  if (ask === undefined || grant === undefined || pool === undefined) return;
  const isThere = (name: string) => ask.holds.includes(name) || pool.nodes.some((node) => node.name === name);
  for (const lost of grant.nodes.filter((name) => !isThere(name))) {
    const nodes = answer.grant?.nodes ?? [];
    const [found] = findRoom({ answer, pool, nodes: 1, except: nodes, taken });
    if (found === undefined) continue;
    answer.grant = { ...grant, nodes: nodes.map((name) => (name === lost ? found : name)) };
    take(taken, answer.grant);
  }
}

function grantNew(answer: Answer, { pools, taken, now }: Ledger): void {
  const { ask, who } = answer;
  const pool = pools.get(ask?.pool ?? '');
  if (answer.grant !== undefined || ask === undefined || pool === undefined) return;
  const { nodes: count, acceleratorsPerNode } = ask;
  const nodes = findRoom({ answer, pool, nodes: count, except: [], taken });
  if (nodes.length !== count) return;
  answer.grant = { ...who, pool: pool.name, acceleratorsPerNode, nodes, since: now };
  take(taken, answer.grant);
}

interface RoomQuestion {
  readonly answer: Answer;
  readonly pool: PoolView;
  readonly nodes: number;
  readonly except: readonly string[];
  readonly taken: Taken;
}

/** Usable nodes with enough free accelerators, the fullest first so that whole nodes stay whole. */
function findRoom({ answer, pool, nodes, except, taken }: RoomQuestion): readonly string[] {
  const acceleratorsPerNode = answer.ask?.acceleratorsPerNode ?? 0;
  // One engine of a replica gives way to the next, so what it has already is room for it.
  return pool.nodes
    .map((node) => ({ name: node.name, free: freeOn(node, taken, whoOf(answer.who)) }))
    .filter(({ name, free }) => free >= acceleratorsPerNode && !except.includes(name))
    .sort((left, right) => left.free - right.free || (left.name < right.name ? -1 : 1))
    .slice(0, nodes)
    .map(({ name }) => name)
    .sort();
}

/** Accelerators that are taken of each node, by who took them. */
type Taken = Map<string, Map<string, number>>;

/**
 * What is taken of nodes: what is granted, and every node that a replica names in its asks. An engine whose node was
 * replaced leaves it later, and one of which the ledger lost its word may be there.
 */
export function indexTaken(grants: readonly PoolGrant[], replicas: readonly ReplicaAsks[]): Taken {
  const taken: Taken = new Map();
  for (const grant of grants) take(taken, grant);
  for (const { namespace, replica, asks = [] } of replicas) {
    for (const { holds, lost, acceleratorsPerNode } of asks)
      take(taken, { namespace, replica, acceleratorsPerNode, nodes: [...holds, ...lost] });
  }
  return taken;
}

type Taking = Pick<PoolGrant, 'namespace' | 'replica' | 'acceleratorsPerNode' | 'nodes'>;

function take(taken: Taken, { nodes, acceleratorsPerNode, ...who }: Taking): void {
  for (const node of nodes) {
    const onNode = taken.get(node) ?? new Map<string, number>();
    taken.set(node, onNode.set(whoOf(who), Math.max(onNode.get(whoOf(who)) ?? 0, acceleratorsPerNode)));
  }
}

function whoOf({ namespace, replica }: Pick<Taking, 'namespace' | 'replica'>): string {
  return `${namespace}/${replica}`;
}

/** Accelerators of a node that are taken by nobody, or by nobody else; none while it is not usable. */
export function freeOn({ name, usable, accelerators }: PoolNode, taken: Taken, who?: string): number {
  let sum = 0;
  for (const [taker, count] of taken.get(name) ?? []) sum += taker === who ? 0 : count;
  return usable ? Math.max(0, accelerators - sum) : 0;
}
