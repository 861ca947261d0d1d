/** Vendors of accelerators, and by what Kubernetes knows theirs. */
export type Vendor = 'NVIDIA' | 'AMD';

/** DRA driver and DeviceClass; both have the same name (aws.md D2, D3, read 2026-12-01). */
export const drivers: Readonly<Record<Vendor, string>> = { NVIDIA: 'gpu.nvidia.com', AMD: 'gpu.amd.com' };

/** Extended resource of the device plugin. */
export const pluginResources: Readonly<Record<Vendor, string>> = { NVIDIA: 'nvidia.com/gpu', AMD: 'amd.com/gpu' };
