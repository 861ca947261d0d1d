import type { Shape } from '../../shape/shape.ts';
import { type Bytes, gib } from '../../units/bytes.ts';

/** What one node of the replica needs beside its accelerators. */
export interface HostTerms {
  /** Memory of the pod: processes, the tensor that is being loaded, and the shared memory, which counts as memory. */
  readonly memory: Bytes;
  /** Local disk for the weights: the files, and one file twice while it is renamed. */
  readonly disk: Bytes;
  /** `/dev/shm` between the ranks of a node (L19: a container's default is 64 MiB). */
  readonly sharedMemory: Bytes;
}

/** A process of the engine with its libraries (2.2 to 3.1 GiB resident in public dumps, read 2026-12-01). */
const processBytes = 2.5 * gib;
/** The largest tensor that passes through host memory; the mapped rest of a file can be dropped at any time. */
const largestTensor = 2 * gib;
/** Files of one checkpoint are at most this large by the hub's convention. */
const largestFile = 5 * gib;
/** Terms of one node, from the bytes of all files: a rank loads tensor by tensor, so memory does not grow with them. */
export function hostTerms(shape: Shape, files: Bytes): HostTerms {
  const ranks = shape.acceleratorsPerNode;
  const sharedMemory = sharedMemoryBytes(ranks);
  return {
    memory: processBytes * (1 + ranks) + ranks * Math.min(largestTensor, files) + sharedMemory,
    disk: files + Math.min(largestFile, files),
    sharedMemory,
  };
}

/**
 * Size of `/dev/shm` of a pod: the container default of 64 MiB stops tensor parallel engines (L19). One GiB, and one more
 * for each accelerator that exchanges tensors through it; it is memory of the pod and inside its limit.
 */
export function sharedMemoryBytes(ranks: number): Bytes {
  return ranks === 1 ? gib : (1 + ranks) * gib;
}
