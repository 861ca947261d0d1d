/**
 * As whom an engine runs and where it may write. No privilege is ever gained. vLLM writes to its home and to /tmp only;
 * SGLang also beside its own sources, so its root stays writable unless the author says otherwise.
 */
import type { PodSettings } from './pod-settings.ts';
import type { WorkloadQuestion } from './workload-question.ts';

type Question = Pick<WorkloadQuestion, 'vendor' | 'engine' | 'pod'>;

/** A user that no image has, so that no file of an image is its own. */
const userId = 2000;
const home = '/home/engine';

function userOf({ vendor, pod }: Question): NonNullable<PodSettings['user']> {
  return pod?.user ?? (vendor === 'NVIDIA' ? 'NonRoot' : 'Image');
}

function rootOf(question: Question): NonNullable<PodSettings['rootFilesystem']> {
  const isClean = userOf(question) === 'NonRoot' && question.engine.type === 'vLLM';
  return question.pod?.rootFilesystem ?? (isClean ? 'ReadOnly' : 'Writable');
}

/** Tells whether the image's own home is of no use: it belongs to somebody else or cannot be written. */
function needsHome(question: Question): boolean {
  return userOf(question) === 'NonRoot' || rootOf(question) === 'ReadOnly';
}

export function podSecurity(question: Question): Record<string, unknown> {
  const user = userOf(question) === 'NonRoot' ? { runAsNonRoot: true, runAsUser: userId, runAsGroup: userId } : {};
  return { ...user, seccompProfile: { type: 'RuntimeDefault' } };
}

export function containerSecurity(question: Question): Record<string, unknown> {
  return {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    ...(rootOf(question) === 'ReadOnly' ? { readOnlyRootFilesystem: true } : {}),
  };
}

/** Where the engine may write in place of the image's home. */
export function writableVolumes(question: Question): readonly Record<string, unknown>[] {
  return needsHome(question) ? ['home', 'tmp'].map((name) => ({ name, emptyDir: {} })) : [];
}

export function writableMounts(question: Question): readonly Record<string, unknown>[] {
  if (!needsHome(question)) return [];
  return [
    { name: 'home', mountPath: home },
    { name: 'tmp', mountPath: '/tmp' },
  ];
}

/** A user without an entry in the image's list of users is asked for its name by torch, which takes it from here. */
export function userVariables(question: Question): readonly { readonly name: string; readonly value: string }[] {
  if (!needsHome(question)) return [];
  return [
    { name: 'HOME', value: home },
    { name: 'USER', value: 'engine' },
  ];
}
