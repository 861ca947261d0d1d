/** The API group of every kind of Modelberth, and the prefix of its labels and annotations. */
export const group = 'modelberth.dev';
export const apiVersion = `${group}/v1alpha1`;

/** Labels that Modelberth puts on what it composes. */
export const label = {
  managedBy: 'app.kubernetes.io/managed-by',
  deployment: `${group}/deployment`,
  replica: `${group}/replica`,
  service: `${group}/service`,
  class: `${group}/class`,
  /** On every node of a composed pool. Not in the kubernetes.io domain, which a kubelet may not set on its node. */
  node: `${group}/node`,
  /** On every node of a composed pool: how it is bought, OnDemand, Spot or Reservation. */
  market: `${group}/market`,
  revision: `${group}/revision`,
  /** What a pod does within its replica: `leader` answers requests, `worker` only computes. */
  role: `${group}/role`,
  /** On the pods of the check of a replica, and never on those of its engine. */
  check: `${group}/check`,
  inferenceGateway: `${group}/gateway`,
  /** On every member of an ObservedObjectCollection: the name of the collection. */
  observedBy: `${group}/observed-by`,
} as const;

/** Key of the taint of nodes of the spot market. */
export const spotTaint = `${group}/spot`;

/** Annotations that are our memory: they stay on the object that they describe (S1, S4). */
export const annotation = {
  externalName: 'crossplane.io/external-name',
  rung: `${group}/rung`,
  /** Granted nodes of an existing pool on which a workload was rendered, by comma. */
  poolNodes: `${group}/pool-nodes`,
  usdPerHour: `${group}/usd-per-hour`,
  /** When a replacement of the reservation of a node group is asked for. */
  replaceAt: `${group}/replace-at`,
  /** Instance type of a node group whose launch template states it. */
  instanceType: `${group}/instance-type`,
  askedAt: `${group}/asked-at`,
  parkedAt: `${group}/parked-at`,
  /** When a size was raised from zero, until a report of the provider shows it. */
  raisedAt: `${group}/raised-at`,
  authorHash: `${group}/author-hash`,
  startedAt: `${group}/started-at`,
  goodAt: `${group}/good-at`,
  failedAt: `${group}/failed-at`,
  failedBecause: `${group}/failed-because`,
  insteadOf: `${group}/instead-of`,
  conformance: `${group}/conformance`,
  drainAskedAt: `${group}/drain-asked-at`,
  formingSince: `${group}/forming-since`,
  releasedAt: `${group}/released-at`,
  notFormedBecause: `${group}/not-formed-because`,
  /** The time at which the keys of a Secret stopped being admitted. */
  expiredAt: `${group}/expired-at`,
} as const;

/** The label that core puts on a resource that a Usage protects. */
export const inUseLabel = 'crossplane.io/in-use';

/** Annotation by which core finds the key of a composed resource. */
export const compositionResourceName = 'crossplane.io/composition-resource-name';
/** Label by which core finds the XR of a composed resource. */
export const compositeLabel = 'crossplane.io/composite';
