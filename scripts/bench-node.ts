import { isRecord, type KubernetesObject, readList } from '../domain/kubernetes/object.ts';
import { asStored } from './bench-as-stored.ts';

/** What runs on a GPU node of EKS beside the engine. */
const images = [
  'vllm-openai',
  'aws-ebs-csi-driver',
  'aws-efs-csi-driver',
  'aws-network-policy-agent',
  'amazon-k8s-cni',
  'amazon-k8s-cni-init',
  'csi-node-driver-registrar',
  'dcgm-exporter',
  'eks-node-monitoring-agent',
  'eks-pod-identity-agent',
  'fluent-bit',
  'k8s-dra-driver-gpu',
  'kube-proxy',
  'livenessprobe',
  'node-exporter',
  'pause',
];
const registry = '111122223333.dkr.ecr.eu-west-1.amazonaws.com/mirror';

/** A condition of each kind that a node has beside Ready. */
const conditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'KernelReady', 'NetworkingReady'].map((type) => ({
  type,
  status: type.endsWith('Pressure') ? 'False' : 'True',
  reason: `Kubelet${type}`,
  message: `kubelet reports ${type} as expected for this node`,
  lastHeartbeatTime: '2026-12-01T11:59:40Z',
  lastTransitionTime: '2026-12-01T11:42:00Z',
}));

const amounts = {
  cpu: '4',
  'ephemeral-storage': '209702892Ki',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  pods: '58',
};

const reported = {
  allocatable: { ...amounts, memory: '14502912Ki' },
  capacity: { ...amounts, memory: '15984764Ki' },
  daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
  images: images.map((image, index) => ({
    names: [`${registry}/${image}@sha256:${'9b1c44de'.repeat(8)}`, `${registry}/${image}:v1.${index}.0`],
    sizeBytes: 18_000_000 + index,
  })),
  nodeInfo: {
    architecture: 'amd64',
    bootID: '5f0c1d2e-8f5a-4a55-9a43-3c1b7e2d9a10',
    containerRuntimeVersion: 'containerd://2.1.4',
    kernelVersion: '6.12.46-66.121.amzn2023.x86_64',
    kubeletVersion: 'v1.34.1-eks-113cf36',
    machineID: 'ec2b7d0c5f0e4d1b9a0f5b8c7d6e5f4a',
    operatingSystem: 'linux',
    osImage: 'Amazon Linux 2023.9.20251014',
    systemUUID: 'ec2b7d0c-5f0e-4d1b-9a0f-5b8c7d6e5f4a',
  },
};

/** A node with all that its kubelet reports, as the API server returns it. */
export function asReported(node: KubernetesObject): KubernetesObject {
  const name = node.metadata.name ?? '';
  const status = {
    ...(isRecord(node.status) ? node.status : {}),
    ...reported,
    addresses: [
      { type: 'InternalIP', address: '10.0.1.19' },
      { type: 'InternalDNS', address: name },
      { type: 'Hostname', address: name },
    ],
    conditions: [...conditions, ...readList(node, ['status', 'conditions'])],
  };
  return asStored({ ...node, status }, 'kubelet');
}
