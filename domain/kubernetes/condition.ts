/**
 * Every condition that Modelberth sets, and the closed list of its reasons; each has a page in `docs/reasons`, generated
 * from here. Core ignores a function's conditions of the types Ready, Synced and Healthy: none of ours has such a name.
 */
import { engineReasons } from './engine-reasons.ts';

/** What each condition type says when it is True. */
export const conditionTypes = {
  EveryFieldActs: 'Every field that the author stated does something; absent where that was always so',
  PackagesMatch: 'The Composition and its functions are of one release; absent where that was always so',
  Catalogued: 'The hardware class is complete and consistent',
  DeletionProtected: 'Crossplane refuses to delete the object; absent where that was never asked for',
  StackReady: 'The cluster has every part that no replica can do without, and Envoy Gateway calls AI Gateway',
  Reachable: 'What is shown of a Remote cluster is what it is now',
  PoolsUsable: 'Every existing pool has nodes, each its own, and every node that is granted is there',
  Fits: 'The model fits the accelerators of at least one candidate',
  Placed: 'Every node of one rung has joined and is usable',
  EngineConfigured: 'The workload for the won shape has been rendered',
  RolledOut: 'What runs is the revision that the claim asks for',
  EngineReady: 'The engine of the live revision answers its readiness probe',
  ConformanceChecked: 'The revision that runs was tried and passed every case; absent where none is tried',
  Secured: 'Every policy is accepted, so the gateway may have an address',
  Routable: 'A request for this model through the gateway would reach a ready engine',
} as const;

export type ConditionType = keyof typeof conditionTypes;

/** What a reason means, and what a person can do about it. */
export interface ReasonText {
  readonly means: string;
  readonly mend: string;
}

const nothing = 'Nothing is to be done.';
const wait = 'Wait; the message says for what. Nothing is lost meanwhile.';

/** The closed list of reasons. Adding one here adds its page. */
export const reasons = {
  Complete: { means: 'Nothing is missing.', mend: nothing },
  Incomplete: { means: 'A part is missing.', mend: 'Install or set what the message names.' },
  FactsDiffer: {
    means:
      'A fact that the class declares is not what drivers are known to publish for its product. It is used as declared.',
    mend: 'The message has both values: correct the class, unless the driver of your nodes publishes what it declares.',
  },
  FieldNotActing: {
    means: 'A field that is stated does not act yet. Everything else of the object does.',
    mend: 'The message says what the field waits for. Leave it out if something must act on it today.',
  },
  VersionSkew: {
    means: 'A function is of another release than its Composition. It works on, or freezes on what it cannot read.',
    mend: 'Wait while an upgrade is under way; else bring the Configuration and its Functions to one release.',
  },
  Answering: { means: 'The API servers of the cluster were heard of minutes ago.', mend: nothing },
  Stale: {
    means: 'What is seen of the cluster is old, so it proves nothing. Everything stays as it was.',
    mend: 'The message has what the provider says. See that provider-kubernetes runs with --poll=1m and reaches the cluster.',
  },
  NotObserved: { means: 'Nothing has been observed yet that could prove it either way.', mend: wait },
  Comfortable: { means: 'The model fits with headroom to spare.', mend: nothing },
  Tight: {
    means: 'The model fits, and the headroom is inside the error of the prediction.',
    mend: 'Lower spec.load.contextTokens or allow a class with larger accelerators to be on the safe side.',
  },
  Misfit: {
    means: 'No candidate has enough memory.',
    mend: 'Make the change that the message names: a shorter context, or a class with larger accelerators.',
  },
  Unsupported: {
    means: 'A fact that the fit needs is unknown, so no number is given.',
    mend: 'State the facts that the message names under spec.model.facts.',
  },
  NotPlaceable: {
    means: 'Every candidate was refused.',
    mend: 'The message has the reason against each candidate and its fix.',
  },
  OverBudget: {
    means: 'Every candidate that fits costs more than the budget.',
    mend: 'Raise spec.budget.usdPerHour, ask for fewer replicas, or allow a cheaper class.',
  },
  GuardrailRefused: {
    means: 'The claim goes beyond a rule of the platform team.',
    mend: 'The message has the field and the owner of the rule: change the claim, or talk to the owner.',
  },
  ReservationEnds: {
    means:
      'The reservation that holds the nodes, or would, nears its end. What serves on it stays until another rung has its nodes.',
    mend: 'Extend the reservation and correct endsAt in its InferenceClass, or allow another market or class.',
  },
  WaitingForGrant: {
    means:
      'The ledger of the cluster has not granted the next request: room under the cap of the namespace, or accelerators of an existing pool.',
    mend: 'Wait: the InferenceCluster grants it at its next reconcile, or another replica holds the room.',
  },
  PoolFull: {
    means: 'No existing pool has enough accelerators that are granted to nobody on usable nodes.',
    mend: 'Release replicas, add nodes to the pool, or allow another class under spec.placement.classes.',
  },
  PoolNodeLost: {
    means:
      'A node of an existing pool on which accelerators are granted is gone, or has lost the labels of its pool. The grant stays, and nothing is deleted.',
    mend: 'Bring the node back or add another to the pool: the ledger grants it in place of the lost one.',
  },
  PoolEmpty: {
    means: 'The selector of an existing pool matches no node.',
    mend: 'Correct its nodeSelector, or add nodes with those labels. Nothing can be placed there meanwhile.',
  },
  PoolsOverlap: {
    means: 'A node has the labels of two existing pools, or of a pool and of a node group. It is counted once.',
    mend: 'Give each pool labels that only its own nodes have.',
  },
  NodeGroupQuota: {
    means: 'The cluster may not hold another node group.',
    mend: 'Raise spec.maxNodeGroups of the InferenceCluster, with the quota of EKS, or release replicas.',
  },
  WaitingForNodes: { means: 'Capacity was asked for and has not all joined yet.', mend: wait },
  LadderExhausted: {
    means: 'Every rung within the budget has been asked and none has all its nodes. Each keeps asking.',
    mend: 'Wait, allow another class under spec.placement.classes, or raise the budget.',
  },
  NodesUsable: { means: 'Every node of the winning rung has joined and is usable.', mend: nothing },
  ReplicasPlaced: { means: 'Every replica of the deployment has its nodes.', mend: nothing },
  WaitingForReplicas: {
    means: 'At least one replica has not reached this state yet.',
    mend: 'See the conditions of its ModelReplicas.',
  },
  Rendered: { means: 'The workload has been rendered for the shape that has nodes.', mend: nothing },
  NotPlaced: {
    means: 'There are no nodes yet, so there is no shape to render for.',
    mend: 'See the condition Placed.',
  },
  RevisionLive: { means: 'The current revision is what runs.', mend: nothing },
  RollingOut: { means: 'The current revision is on its way.', mend: wait },
  DeliveryRefused: {
    means: 'The Remote cluster does not take an object that was composed for it.',
    mend: 'The message has what the cluster says. Correct the claim, or let provider-kubernetes write that kind there.',
  },
  RevisionFailed: {
    means: 'The revision that the claim asks for did not answer in its time, and the last good one runs again.',
    mend: 'The message has the cause: change the claim. The same claim is not tried again.',
  },
  DeadlineExceeded: {
    means:
      'The revision that the claim asks for does not answer in its time, and there is none to go back to, or the claim says to stay.',
    mend: 'The message has the cause as the pods say it. It keeps trying.',
  },
  ...engineReasons,
  PoliciesAccepted: { means: 'Every policy is accepted by the gateway.', mend: nothing },
  Anonymous: {
    means: 'Every policy is accepted, and anyone who reaches the gateway may call, because the claim says so.',
    mend: 'Set spec.auth.type to "ApiKey" unless that is what you want.',
  },
  CallersRefused: {
    means: 'Every policy is accepted, and some keys of callers are not admitted: the message says which and why.',
    mend: 'Fix the Secrets that the message names: give each caller an id and a key of its own, without white space.',
  },
  PolicyNotAccepted: {
    means: 'The gateway refuses a policy. An address that it has already is kept.',
    mend: 'See the status of the policy that the message names.',
  },
  WaitingForPolicies: {
    means: 'A policy is not accepted yet, so the gateway keeps its cluster-internal address.',
    mend: wait,
  },
  IssuerNeedsAddress: {
    means:
      'The certificate cannot be issued before the gateway has an address, and the address waits for the certificate.',
    mend: 'Use an issuer that solves DNS-01, or give the certificate as a Secret.',
  },
  Routed: { means: 'The route is accepted and has a ready endpoint.', mend: nothing },
  ExternalEndpoint: {
    means: 'The gateway sends requests to an external endpoint, which nobody observes, because no replica comes first.',
    mend: 'See EngineReady of the ModelReplicas where one should answer; try a request to see whether the endpoint does.',
  },
  NoEndpoint: { means: 'No replica is ready, so callers get 503.', mend: 'See EngineReady of the ModelReplicas.' },
  RouteNotAccepted: {
    means: 'The gateway has not accepted the route.',
    mend: 'See the status of the HTTPRoute that the message names.',
  },
  NoService: { means: 'No ModelService routes to this deployment.', mend: 'Create a ModelService that names it.' },
  UsageActive: { means: 'A Usage protects the object from deletion.', mend: nothing },
  UsageNotActive: {
    means: 'Deletion is to be refused, and Crossplane does not refuse it yet.',
    mend: 'Wait a minute. If it stays so, start Crossplane with --enable-webhooks: without its webhooks a Usage is accepted and ignored.',
  },
  NotProtected: {
    means: 'The object was protected from deletion and is no longer.',
    mend: 'Set spec.deletionProtection to true to protect it again.',
  },
  ClassMissing: {
    means: 'A named InferenceClass does not exist or cannot be read. Everything stays as it was.',
    mend: 'Create or correct the class, or take it off spec.placement.classes.',
  },
  ClusterMissing: {
    means: 'The named InferenceCluster does not exist or cannot be read. Everything stays as it was.',
    mend: 'Create or correct it.',
  },
  GatewayMissing: {
    means: 'The named InferenceGateway does not exist or cannot be read. Everything stays as it was.',
    mend: 'Create or correct it, or name another one.',
  },
  WaitingForRequired: {
    means: 'Objects that the decision needs have not been fetched yet. Everything stays as it was.',
    mend: wait,
  },
  InvalidSpec: {
    means: 'A field of the claim cannot be used. Everything stays as it was.',
    mend: 'Correct the field that the message names.',
  },
  InvalidInput: {
    means: 'The Input of this step cannot be used. Everything stays as it was.',
    mend: 'Correct the field that the message names in the Composition.',
  },
  InvalidObserved: {
    means: 'An observed object cannot be read. Everything stays as it was.',
    mend: 'See the object that the message names.',
  },
  HandOffMissing: {
    means: 'The step before did not say what it decided. Everything stays as it was.',
    mend: 'See the condition of the step before, or run the same version of every function.',
  },
  UnknownKey: {
    means: 'A composed resource belongs to no step of this version. It stays as it was.',
    mend: 'Run the version that composed it, or delete it by hand.',
  },
  InternalError: {
    means: 'This step failed in a way nobody foresaw. Everything stays as it was.',
    mend: 'Report it with the log of the function.',
  },
} as const satisfies Record<string, ReasonText>;

export type Reason = keyof typeof reasons;

/** Reasons of a True condition that a person should know of all the same. */
export const warningReasons: readonly Reason[] = [
  'Anonymous',
  'CallersRefused',
  'FactsDiffer',
  'GuardrailRefused',
  'Tight',
];

export interface Condition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: Reason;
  readonly message: string;
}
