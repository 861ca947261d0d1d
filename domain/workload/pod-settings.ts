import { z } from 'zod';
import { type SpecRule, withRules } from '../kubernetes/spec-rule.ts';
import { ownMounts, ownVolumes } from './own-volumes.ts';

interface VolumeFields {
  readonly name: string;
  readonly type: 'PersistentVolumeClaim' | 'ConfigMap' | 'Secret' | 'EmptyDir';
  readonly source?: string | undefined;
  readonly mountPath: string;
  readonly size?: unknown;
}

function isOwnMount(mountPath: string): boolean {
  return ownMounts.some((own) => mountPath === own || mountPath.startsWith(`${own}/`));
}

const volumeRules: readonly SpecRule<VolumeFields>[] = [
  {
    rule: "!has(self.type) || (self.type == 'EmptyDir') != has(self.source)",
    message: 'source is what the volume is made from, which an EmptyDir has not: remove it there, add it elsewhere',
    holds: ({ type, source }) => (type === 'EmptyDir') !== (source !== undefined),
  },
  {
    rule: "!has(self.type) || !has(self.size) || self.type == 'EmptyDir'",
    message: 'size bounds an EmptyDir and has no effect elsewhere: remove it',
    holds: ({ type, size }) => size === undefined || type === 'EmptyDir',
  },
  {
    rule: `!has(self.name) || !(self.name in ['${ownVolumes.join("', '")}'])`,
    message: `the volumes ${ownVolumes.join(', ')} are those of Modelberth: take another name`,
    holds: ({ name }) => !ownVolumes.some((own) => own === name),
  },
  {
    rule: `!has(self.mountPath) || !(${ownMounts.map((own) => `self.mountPath == '${own}' || self.mountPath.startsWith('${own}/')`).join(' || ')})`,
    message: `${ownMounts.join(', ')} are taken by Modelberth: mount it elsewhere`,
    holds: ({ mountPath }) => !isOwnMount(mountPath),
  },
];

const PodVolume = withRules(
  z.object({
    name: z
      .string()
      .max(63)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
      .describe('Name of the volume in the pod, e.g. `adapters`.'),
    type: z
      .enum(['PersistentVolumeClaim', 'ConfigMap', 'Secret', 'EmptyDir'])
      .describe('What it is made from: an object of the namespace, or an empty directory for each pod.'),
    source: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .describe(
        'Name of the PersistentVolumeClaim, ConfigMap or Secret, in the namespace of the claim, on the cluster of the replica. Unset: only for an EmptyDir.',
      ),
    mountPath: z
      .string()
      .max(1024)
      .regex(/^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/)
      .describe('Where the engine finds it, e.g. `/adapters`.'),
    readOnly: z
      .boolean()
      .optional()
      .describe('Whether the engine may only read it. Default true, for an EmptyDir false.'),
    size: z
      .string()
      .max(32)
      .regex(/^[0-9]+(\.[0-9]+)?(Ki|Mi|Gi|Ti|k|M|G|T)?$/)
      .optional()
      .describe('Most that an EmptyDir may hold, e.g. `20Gi`; a pod beyond it is evicted. Unset: no bound.'),
  }),
  volumeRules,
).describe('One volume of the engine.');
export type PodVolume = z.output<typeof PodVolume>;

/** What the author may say of the pods of the engine, beside what the replica makes of them. */
export const PodSettings = z
  .object({
    user: z
      .enum(['NonRoot', 'Image'])
      .optional()
      .describe(
        'As whom the engine runs. NonRoot: user 2000, with a home of its own; files of a volume must be readable for it. Image: whom the image names, for one that needs root. Unset: NonRoot on NVIDIA, Image on AMD, whose devices belong to a group of the node.',
      ),
    rootFilesystem: z
      .enum(['ReadOnly', 'Writable'])
      .optional()
      .describe(
        'Whether the engine may write outside its volumes. ReadOnly: only to its home, to /tmp and to what is mounted. Unset: ReadOnly for vLLM that does not run as root, else Writable.',
      ),
    volumes: withRules(z.array(PodVolume).max(16), [
      {
        rule: 'self.all(v, !has(v.name) || self.exists_one(o, has(o.name) && o.name == v.name))',
        message: 'a volume is written twice: keep each once',
        holds: (volumes) => new Set(volumes.map(({ name }) => name)).size === volumes.length,
      },
      {
        rule: 'self.all(v, !has(v.mountPath) || self.exists_one(o, has(o.mountPath) && o.mountPath == v.mountPath))',
        message: 'two volumes have one mountPath: give each its own',
        holds: (volumes) => new Set(volumes.map(({ mountPath }) => mountPath)).size === volumes.length,
      },
    ])
      .optional()
      .describe('Volumes that are mounted beside the weights, on every pod of the replica. Unset: none.'),
    overlay: z
      .record(z.string(), z.unknown())
      .meta({ 'x-kubernetes-preserve-unknown-fields': true })
      .optional()
      .describe(
        'A part of a pod template (`metadata`, `spec`) that is merged over the computed one: maps by key, containers and volumes by name, other lists are continued. The container of the engine has the name `engine`. A field that Modelberth owns is refused with the field of the claim that is for it. Unset: nothing.',
      ),
  })
  .describe('What the pods of the engine have beside what the shape demands. A change is a new revision.');
export type PodSettings = z.output<typeof PodSettings>;
