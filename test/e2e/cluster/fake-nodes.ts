import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import { type ApiClient, apply, remove } from './api-client.ts';

/** A product as its DRA driver publishes it (k8s-dra-driver-gpu v0.4.1, read 2026-12-01). */
export interface Product {
  readonly productName: string;
  readonly architecture: string;
  readonly cudaComputeCapability: string;
  readonly memory: string;
}

export const l40s: Product = {
  productName: 'NVIDIA L40S',
  architecture: 'Ada Lovelace',
  cudaComputeCapability: '8.9.0',
  memory: '46068Mi',
};

export const rtxPro6000: Product = {
  productName: 'NVIDIA RTX PRO 6000 Blackwell Server Edition',
  architecture: 'Blackwell',
  cudaComputeCapability: '12.0.0',
  memory: '97887Mi',
};

export interface FakeNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly product: Product;
  readonly accelerators: number;
}

const driver = 'gpu.nvidia.com';

/** The DeviceClass that the DRA driver of NVIDIA installs. */
export async function installDeviceClass(client: ApiClient): Promise<void> {
  await apply(client, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: driver },
    spec: {
      extendedResourceName: 'nvidia.com/gpu',
      selectors: [
        { cel: { expression: `device.driver == "${driver}" && device.attributes["${driver}"].type == "gpu"` } },
      ],
    },
  });
}

/** Adds a node as kubelet and the DRA driver would: a Node with its sizes, and a ResourceSlice with its accelerators. */
export async function addNode(client: ApiClient, node: FakeNode): Promise<void> {
  const { name, labels } = node;
  const size = { cpu: '192', memory: '2Ti', 'ephemeral-storage': '4Ti', pods: '110' };
  const object = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
  };
  await apply(client, object);
  const status = { capacity: size, allocatable: size };
  await apply(client, { ...object, metadata: { name }, status }, { subresource: 'status' });
  await apply(client, sliceOf(node));
}

/** Takes a node away, as when its instance ends. */
export async function removeNode(client: ApiClient, node: FakeNode): Promise<void> {
  await remove(client, sliceOf(node));
  await remove(client, { apiVersion: 'v1', kind: 'Node', metadata: { name: node.name } });
}

function sliceOf({ name, product, accelerators }: FakeNode): KubernetesObject {
  const { productName, architecture, cudaComputeCapability, memory } = product;
  const devices = Array.from({ length: accelerators }, (_, index) => ({
    name: `gpu-${index}`,
    attributes: {
      type: { string: 'gpu' },
      uuid: { string: `GPU-${name}-${index}` },
      productName: { string: productName },
      architecture: { string: architecture },
      cudaComputeCapability: { version: cudaComputeCapability },
      driverVersion: { version: '580.105.8' },
    },
    capacity: { memory: { value: memory } },
  }));
  const pool = { name, generation: 1, resourceSliceCount: 1 };
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `${name}-${driver}` },
    spec: { driver, nodeName: name, pool, devices },
  };
}
