import { ReplicaTemplate } from '../apis/modelreplicas/schema.ts';
import { structuralSchema } from '../apis/structural-schema.ts';
import { withoutDefaults } from '../apis/without-defaults.ts';
import { stableHash } from '../domain/kubernetes/canonical-json.ts';
import { type KubernetesObject, readPath } from '../domain/kubernetes/object.ts';
import { once } from '../domain/units/once.ts';

/** Hexadecimal digits of a revision's hash. */
const revisionLength = 8;

const templateSchema = once(() => structuralSchema(ReplicaTemplate));

/** Where a template runs: its rung, and of an existing pool the granted nodes. */
export interface RevisionPlace {
  readonly rung: string;
  readonly poolNodes?: readonly string[];
}

/**
 * The revision of a ModelReplica's template on a rung: 8 hexadecimal digits. It depends on the author's template as
 * stored, without defaults, and on the place, and on nothing that a new version could change.
 */
export function templateRevision(replica: KubernetesObject, { rung, poolNodes = [] }: RevisionPlace): string {
  const template = withoutDefaults(templateSchema(), readPath(replica, ['spec', 'template']));
  return stableHash({ template, rung, ...(poolNodes.length === 0 ? {} : { poolNodes }) }, revisionLength);
}
