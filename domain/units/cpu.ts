import { z } from 'zod';

/** Processor time in thousandths of a core. */
export type Millicores = number;

const pattern = /^([0-9]+)(m)?$/;

/** Cores as users write them: `4` or `3920m`; code sees millicores. */
export const CpuText = z.codec(z.string().regex(pattern), z.number(), {
  decode: (text) => {
    const match = pattern.exec(text);
    return match === null ? 0 : Number(match[1]) * (match[2] === 'm' ? 1 : 1000);
  },
  encode: (millicores) => formatCpu(millicores),
});

/** Whole cores without a suffix, else millicores. */
export function formatCpu(millicores: Millicores): string {
  return millicores % 1000 === 0 ? String(millicores / 1000) : `${millicores}m`;
}
