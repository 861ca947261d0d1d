/** What happens to one object. */
export interface Change {
  readonly kind: string;
  readonly name: string;
  /** `replace`: it is deleted and made again, since a field of it cannot change in place. */
  readonly action: 'create' | 'update' | 'keep' | 'replace' | 'delete';
  readonly why: string;
}

/** A pod that goes so that another one starts in its place. */
export interface PodRestart {
  readonly pod: string;
  /** Pods of one order go together; the next order begins when the former answers. */
  readonly order: number;
  /** Minutes until its replica answers again, at most; an engine that takes longer has failed. */
  readonly downtimeMinutes: number;
}

/** Nodes or accelerators that are asked for beside what is there. */
export interface CapacityAsk {
  readonly replica: string;
  readonly asks: string;
}

/** Streams that a change cuts, and after how long. */
export interface CutStreams {
  readonly object: string;
  readonly why: string;
}

/** What a change would do. */
export interface Plan {
  readonly changes: readonly Change[];
  readonly replaced: readonly Pick<Change, 'kind' | 'name' | 'why'>[];
  readonly restarts: readonly PodRestart[];
  readonly usdPerHour: { readonly before: number; readonly after: number };
  readonly capacity: readonly CapacityAsk[];
  readonly streams: readonly CutStreams[];
  /** What refuses the change or stops it on its way. */
  readonly problems: readonly string[];
}
