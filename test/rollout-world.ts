/**
 * A deployment's replicas as a cluster would treat them, one pass at a time: a service gives weights, an edited engine
 * restarts and answers or fails, a new replica starts where accelerators are free. The planner sees it as it is, or as
 * it was a pass ago.
 */
import type { Drain, ReplicaStep, ReplicaView } from '../domain/rollout/plan-replicas.ts';

/** What an engine does with the new template: answer, fail and go back, never answer, or never be seen. */
export type Fate = 'Answers' | 'GoesBack' | 'Hangs' | 'Unseen';

export interface SimulatedReplica {
  readonly index: number;
  readonly template: 'old' | 'new';
  readonly readiness: ReplicaView['readiness'];
  readonly rollout: ReplicaView['rollout'];
  readonly traffic: ReplicaView['traffic'];
  /** Whether requests are sent to it. */
  readonly hasWeight: boolean;
  /** Passes until its engine has made up its mind; 0: it has. */
  readonly startsIn: number;
}

export interface RolloutWorld {
  readonly replicas: readonly SimulatedReplica[];
  /** Replicas for which accelerators are free. */
  readonly spare: number;
  readonly hasService: boolean;
  /** What becomes of the new template on each index that does not simply answer. */
  readonly fates: ReadonlyMap<number, Fate>;
}

/** Passes that an engine takes to start. */
const startPasses = 2;

/** The replicas as the planner sees them. */
export function viewReplicas({ replicas, hasService }: RolloutWorld): readonly ReplicaView[] {
  return replicas.map(({ index, template, readiness, rollout, traffic, hasWeight }) => ({
    index,
    authorHash: template,
    readiness,
    rollout,
    traffic,
    drain: hasService ? drainOf({ index, traffic, hasWeight }, replicas) : 'Done',
  }));
}

function drainOf(
  { index, traffic, hasWeight }: Pick<SimulatedReplica, 'index' | 'traffic' | 'hasWeight'>,
  replicas: readonly SimulatedReplica[],
): Drain {
  if (!hasWeight) return 'Done';
  if (replicas.some((other) => other.index !== index && other.hasWeight)) return 'Pending';
  return traffic === 'Detach' ? 'Done' : 'LastOne';
}

/** The world a pass later, once what the planner wants has been applied. */
export function nextWorld(world: RolloutWorld, steps: readonly ReplicaStep[]): RolloutWorld {
  const applied = steps.reduce(applyStep, world);
  const started = applied.replicas.map((replica) => start(replica, applied.fates));
  return { ...applied, replicas: giveWeights(started) };
}

function applyStep(world: RolloutWorld, step: ReplicaStep): RolloutWorld {
  const found = world.replicas.find(({ index }) => index === step.index);
  if (step.action === 'Create') return found === undefined ? create(world, step) : world;
  if (found === undefined) return world;
  if (step.action === 'Drop') {
    const freed = found.readiness === 'NotReady' && found.startsIn === Number.POSITIVE_INFINITY ? 0 : 1;
    return { ...world, spare: world.spare + freed, replicas: world.replicas.filter((other) => other !== found) };
  }
  const edited = edit(found, step);
  return { ...world, replicas: world.replicas.map((other) => (other === found ? edited : other)) };
}

function create(world: RolloutWorld, { index, copyOf }: ReplicaStep): RolloutWorld {
  const template = copyOf === undefined ? 'new' : 'old';
  const hasRoom = world.spare > 0;
  const fresh: SimulatedReplica = {
    index,
    template,
    readiness: 'NotReady',
    rollout: 'Pending',
    traffic: 'Serve',
    hasWeight: false,
    startsIn: hasRoom ? startPasses : Number.POSITIVE_INFINITY,
  };
  return { ...world, spare: world.spare - (hasRoom ? 1 : 0), replicas: [...world.replicas, fresh] };
}

function edit(replica: SimulatedReplica, { action }: ReplicaStep): SimulatedReplica {
  if (action === 'Drain' || action === 'Detach') return { ...replica, traffic: action };
  if (action === 'Keep') return { ...replica, traffic: 'Serve' };
  const traffic = replica.traffic === 'Drain' ? 'Drain' : 'Serve';
  if (replica.template === 'new') return { ...replica, traffic };
  const startsIn = replica.startsIn === Number.POSITIVE_INFINITY ? replica.startsIn : startPasses;
  return { ...replica, template: 'new', traffic, readiness: 'NotReady', rollout: 'Pending', startsIn };
}

function start(replica: SimulatedReplica, fates: RolloutWorld['fates']): SimulatedReplica {
  if (replica.startsIn === 0) return replica;
  if (replica.startsIn > 1) return { ...replica, startsIn: replica.startsIn - 1 };
  const fate = replica.template === 'new' ? (fates.get(replica.index) ?? 'Answers') : 'Answers';
  return { ...replica, startsIn: 0, ...endings[fate] };
}

const endings: Readonly<Record<Fate, Pick<SimulatedReplica, 'readiness' | 'rollout'>>> = {
  Answers: { readiness: 'Ready', rollout: 'Live' },
  GoesBack: { readiness: 'Ready', rollout: 'Failed' },
  Hangs: { readiness: 'NotReady', rollout: 'Pending' },
  Unseen: { readiness: 'Unknown', rollout: 'Pending' },
};

/** As chooseBackends does: who may serve has weight, and where nobody has, the last one keeps it. */
function giveWeights(replicas: readonly SimulatedReplica[]): readonly SimulatedReplica[] {
  const weighted = replicas.map((replica) => ({
    ...replica,
    hasWeight:
      replica.traffic === 'Serve' &&
      (replica.readiness === 'Ready' || (replica.readiness === 'Unknown' && replica.hasWeight)),
  }));
  if (weighted.some(({ hasWeight }) => hasWeight)) return weighted;
  const last = weighted.findLast(({ traffic }) => traffic === 'Serve') ?? weighted.at(-1);
  return weighted.map((replica) => (replica === last ? { ...replica, hasWeight: true } : replica));
}
