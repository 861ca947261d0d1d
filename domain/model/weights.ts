import { z } from 'zod';
import { type SpecRule, withRules } from '../kubernetes/spec-rule.ts';

interface Fields {
  readonly type: 'Hub' | 'PersistentVolumeClaim' | 'HostPath';
  readonly claimName?: string | undefined;
  readonly path?: string | undefined;
}

const rules: readonly SpecRule<Fields>[] = [
  {
    rule: "!has(self.type) || (self.type == 'PersistentVolumeClaim') == has(self.claimName)",
    message: 'claimName belongs to the type "PersistentVolumeClaim", which needs it: add it there, remove it elsewhere',
    holds: ({ type, claimName }) => (type === 'PersistentVolumeClaim') === (claimName !== undefined),
  },
  {
    rule: "!has(self.type) || (self.type == 'Hub' ? !has(self.path) : self.type != 'HostPath' || has(self.path))",
    message: 'path is needed by the type "HostPath" and has no effect with "Hub": add it there, remove it here',
    holds: ({ type, path }) => (type === 'Hub' ? path === undefined : type !== 'HostPath' || path !== undefined),
  },
  {
    rule: "!has(self.type) || !has(self.path) || self.path.startsWith('/') == (self.type == 'HostPath')",
    message: 'path begins with "/" on a node and without it in a volume: write it so',
    holds: ({ type, path }) => path === undefined || path.startsWith('/') === (type === 'HostPath'),
  },
];

/** Where the files of a checkpoint come from. */
export const Weights = withRules(
  z.object({
    type: z
      .enum(['Hub', 'PersistentVolumeClaim', 'HostPath'])
      .describe(
        'Hub: each pod downloads them at its start. PersistentVolumeClaim: they are in a volume. HostPath: they are in a directory of the node, which the guardrails of the cluster must allow. With the last two the engine never reaches the hub.',
      ),
    claimName: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .describe(
        'PersistentVolumeClaim in the namespace of the claim, on the cluster of the replica; mounted read-only. Several pods mount it at once when there are several replicas or nodes.',
      ),
    path: z
      .string()
      .max(1024)
      .regex(/^\/?[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/)
      .optional()
      .describe(
        'Directory with config.json and the weight files: in the volume, e.g. `llama/3.1-8b` (unset: its root), or of the node, e.g. `/mnt/models/llama`.',
      ),
  }),
  rules,
).describe('Where the files of the checkpoint come from. A change is a new revision. Unset: the hub.');
export type Weights = z.output<typeof Weights>;

/** Where the checkpoint lies in the pod. */
export const checkpointFolder = '/weights';

/** What the engine is told to serve: the name on the hub, or the directory that has the files already. */
export function checkpointOf({
  name,
  weights,
}: {
  readonly name: string;
  readonly weights?: Weights | undefined;
}): string {
  if (weights === undefined || weights.type === 'Hub') return name;
  const isInside = weights.type === 'PersistentVolumeClaim' && weights.path !== undefined;
  return isInside ? `${checkpointFolder}/${weights.path}` : checkpointFolder;
}

/** The directory of the node that has the weights; undefined where they come from elsewhere. */
export function hostPathOf({ weights }: { readonly weights?: Weights | undefined }): string | undefined {
  return weights?.type === 'HostPath' ? weights.path : undefined;
}
