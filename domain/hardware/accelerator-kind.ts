import type { Accelerator } from './accelerator.ts';

/** Whether the memory of an accelerator is that of its processor too. */
export function isUnified({ name, productName }: Accelerator): boolean {
  return /GB10|DGX Spark|Strix Halo|Jetson/i.test(`${name} ${productName}`);
}

/** Whether eight accelerators of this kind share one switch (NVSwitch), and not a PCIe bus. */
export function isOnSwitch({ name, productName }: Accelerator): boolean {
  return /[ABH][128]00|GB[23]00|B300/.test(`${name} ${productName}`);
}
