/** What tests of placement place: a dense model, a cluster of EKS, and a class with one small accelerator. */
import type { Cluster, HardwareClass } from '../hardware/hardware-class.ts';
import type { ModelFacts } from '../model/model-facts.ts';

export const llama: ModelFacts = {
  architecture: 'LlamaForCausalLM',
  attention: 'Full',
  layers: 32,
  hiddenSize: 4096,
  intermediateSize: 14336,
  attentionHeads: 32,
  keyValueHeads: 8,
  headSize: 128,
  vocabularySize: 128256,
  maxContextTokens: 131072,
  precision: 'bf16',
  weightBytes: 16_063_177_687,
};

const zones = { 'subnet-0a1': 'eu-west-1a', 'subnet-0b2': 'eu-west-1b', 'subnet-0b3': 'eu-west-1b' } as const;
export type SubnetId = keyof typeof zones;

/** The access to EKS with some of its subnets. */
export function eksWith(...ids: readonly SubnetId[]): NonNullable<Cluster['eks']> {
  return {
    name: 'inference-europe',
    region: 'eu-west-1',
    nodeRoleArn: 'arn:aws:iam::111122223333:role/node',
    subnets: ids.map((id) => ({ id, zone: zones[id] })),
    providerConfigName: 'default',
  };
}

/** The cluster with some of its subnets. */
export function europeWith(...ids: readonly SubnetId[]): Cluster {
  return {
    name: 'europe',
    eks: eksWith(...ids),
    pools: [],
    allocation: 'DRA',
    namespaces: { gateway: 'envoy-gateway-system', monitoring: 'monitoring' },
    maxNodeGroups: 30,
    guardrails: { trustRemoteCode: 'Refuse' },
  };
}

export const l4: HardwareClass = {
  name: 'l4',
  accelerator: { name: 'L4', vendor: 'NVIDIA', productName: 'NVIDIA L4', memory: 24e9, visibleMemory: 23e9 },
  nodeTypes: [],
  amiType: 'AL2023_x86_64_NVIDIA',
};
