import { checkpointFolder } from '../model/weights.ts';
import { formatBytes, gib } from '../units/bytes.ts';
import type { WorkloadQuestion } from './workload-question.ts';

type Question = Pick<WorkloadQuestion, 'model' | 'weightBytes'>;
const name = 'weights';

/** The volume that holds the checkpoint: room for a download, or what has it already. */
export function weightsVolume({ model, weightBytes }: Question): Record<string, unknown> {
  const { type = 'Hub', claimName, path } = model.weights ?? {};
  if (type === 'PersistentVolumeClaim') return { name, persistentVolumeClaim: { claimName, readOnly: true } };
  if (type === 'HostPath') return { name, hostPath: { path, type: 'Directory' } };
  return { name, emptyDir: { sizeLimit: formatBytes(downloadGib(weightBytes) * gib) } };
}

/** Room for the files and for one more copy of the largest, which a download holds while it is renamed. */
function downloadGib(weightBytes: number): number {
  return Math.ceil((1.25 * weightBytes) / gib) + 5;
}

/** Where the engine finds the volume; only a download writes to it. */
export function weightsMount({ model }: Pick<Question, 'model'>): Record<string, unknown> {
  const isDownload = (model.weights?.type ?? 'Hub') === 'Hub';
  return { name, mountPath: checkpointFolder, ...(isDownload ? {} : { readOnly: true }) };
}
