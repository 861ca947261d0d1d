import { formatBytes, mib } from '../units/bytes.ts';
import type { Accelerator } from './accelerator.ts';
import { findProduct } from './find-accelerator.ts';

/** Share by which a driver of another version may publish another memory. */
const memoryTolerance = 0.01;

/**
 * Each fact of an accelerator that differs from what drivers are known to publish for its product, as a sentence with
 * both values; empty where the product is not known. A wrong fact was once echoed for weeks as if observed (L2).
 */
export function compareKnown({ vendor, productName, architecture, memory }: Accelerator): readonly string[] {
  const known = findProduct(productName);
  if (known === undefined) return [];
  const differences: string[] = [];
  // The driver of AMD publishes no architecture (k8s-gpu-dra-driver driver-attributes.md, read 2026-12-02).
  if (vendor === 'NVIDIA' && architecture !== undefined && architecture !== known.architecture)
    differences.push(
      `spec.accelerator.architecture is "${architecture}", and drivers publish "${known.architecture}" for ${productName}`,
    );
  const published = known.memoryMib * mib;
  if (Math.abs(memory - published) > memoryTolerance * published)
    differences.push(
      `spec.accelerator.memory is ${formatBytes(memory)}, and drivers publish ${formatBytes(published)} for ${productName}`,
    );
  return differences;
}
