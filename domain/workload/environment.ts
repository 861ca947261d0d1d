import type { EngineVariable } from '../engine/engine-variable.ts';
import type { Model } from '../model/model.ts';
import { checkpointFolder } from '../model/weights.ts';
import { isGang } from './gang.ts';
import { userVariables } from './security.ts';
import type { WorkloadQuestion } from './workload-question.ts';

interface Variable extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

/** The environment of the engine: what is computed, in place of which the author's own by the same name, then the rest. */
export function environment(question: WorkloadQuestion): readonly Variable[] {
  const { model, vendor, shape, engine } = question;
  const computed: readonly Variable[] = [
    ...userVariables(question),
    ...hubVariables(model),
    // Nine out-of-memory ends in four days were fragmentation; this is what ended them (L17, L18).
    ...(vendor === 'NVIDIA' ? [{ name: 'PYTORCH_CUDA_ALLOC_CONF', value: 'expandable_segments:True' }] : []),
    ...(isGang({ shape }) ? gangVariables : []),
  ];
  const own = new Map((engine.env ?? []).map((variable) => [variable.name, toVariable(variable)]));
  const names = new Set(computed.map((variable) => variable.name));
  return [
    ...computed.map((variable) => own.get(variable.name) ?? variable),
    ...[...own.values()].filter((variable) => !names.has(variable.name)),
  ];
}

/** Where a download goes and who may load it; a checkpoint that is there already must not be looked for on the hub. */
function hubVariables({ weights, hubTokenSecret }: Model): readonly Variable[] {
  if (weights !== undefined && weights.type !== 'Hub') {
    return [
      { name: 'HF_HUB_OFFLINE', value: '1' },
      { name: 'TRANSFORMERS_OFFLINE', value: '1' },
    ];
  }
  const home = { name: 'HF_HOME', value: checkpointFolder };
  if (hubTokenSecret === undefined) return [home];
  const { name, key } = hubTokenSecret;
  return [home, { name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name, key } } }];
}

function toVariable({ name, value, secretKeyRef }: EngineVariable): Variable {
  return secretKeyRef === undefined ? { name, value: value ?? '' } : { name, valueFrom: { secretKeyRef } };
}

/** Each rank tells the others its own address, over the pod's one interface; SGLang has no variable for it. */
const gangVariables: readonly Variable[] = [
  { name: 'VLLM_HOST_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
  { name: 'NCCL_SOCKET_IFNAME', value: 'eth0' },
  { name: 'GLOO_SOCKET_IFNAME', value: 'eth0' },
];
