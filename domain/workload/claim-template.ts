import { drivers, type Vendor } from '../hardware/vendor.ts';
import { label } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { boundedName } from '../kubernetes/resource-name.ts';
import type { WorkloadQuestion } from './workload-question.ts';

/**
 * The type of a whole device where the DeviceClass does not select it: that of AMD takes partitions and devices that are
 * passed through too, under the same product name (k8s-gpu-dra-driver driver-attributes.md, read 2026-12-02).
 */
const wholeDevice: Partial<Record<Vendor, string>> = { AMD: 'amdgpu' };

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
                selectors: [{ cel: { expression: selectProduct(question) } }],
              },
            },
          ],
        },
      },
    },
  };
}

/** Guarded: an attribute that a device lacks is an error that stops allocation, not a false (aws.md D5). */
function selectProduct({ vendor, productName }: WorkloadQuestion): string {
  const driver = drivers[vendor];
  const attributes = `device.attributes["${driver}"]`;
  const equals = (name: string, value: string) =>
    `"${name}" in ${attributes} && ${attributes}.${name} == ${JSON.stringify(value)}`;
  const type = wholeDevice[vendor];
  const parts = [
    `device.driver == "${driver}"`,
    ...(type === undefined ? [] : [equals('type', type)]),
    equals('productName', productName),
  ];
  return parts.join(' && ');
}
