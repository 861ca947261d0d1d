import { label } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { boundedName } from '../kubernetes/resource-name.ts';
import type { WorkloadQuestion } from './workload-question.ts';

/** DRA driver and DeviceClass by vendor; both have the same name (aws.md D2, D3, read 2026-12-01). */
const drivers = { NVIDIA: 'gpu.nvidia.com', AMD: 'gpu.amd.com' } as const;

/** Name of the claim template of a revision: its spec is immutable, so the name carries the revision. */
export function claimTemplateName(question: Pick<WorkloadQuestion, 'replica' | 'revision'>): string {
  return boundedName(`${question.replica}-${question.revision}`);
}

/** The claim for every accelerator of one pod, pinned to the product that the class names (L1). */
export function renderClaimTemplate(question: WorkloadQuestion): KubernetesObject {
  const driver = drivers[question.vendor];
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: {
      name: claimTemplateName(question),
      labels: { ...question.labels, [label.revision]: question.revision },
    },
    spec: {
      spec: {
        devices: {
          requests: [
            {
              name: 'accelerator',
              exactly: {
                deviceClassName: driver,
                allocationMode: 'ExactCount',
                count: question.shape.acceleratorsPerNode,
                selectors: [{ cel: { expression: selectProduct(driver, question.productName) } }],
              },
            },
          ],
        },
      },
    },
  };
}

/** Guarded: an attribute that a device lacks is an error that stops allocation, not a false (aws.md D5). */
function selectProduct(driver: string, productName: string): string {
  const attributes = `device.attributes["${driver}"]`;
  return `device.driver == "${driver}" && "productName" in ${attributes} && ${attributes}.productName == ${JSON.stringify(productName)}`;
}
