import type { GuardedImage } from '../hardware/guardrails.ts';
import { readList, readString } from '../kubernetes/object.ts';
import { hostPathOf, type Weights } from '../model/weights.ts';
import type { PodSettings } from './pod-settings.ts';

interface Template {
  readonly model: { readonly weights?: Weights | undefined };
  readonly pod?: PodSettings | undefined;
}

/** What guardrails look at beside the engine: the directory of the node that has the weights, and the other images. */
export function guardedParts({ model, pod }: Template): {
  readonly hostPath: string | undefined;
  readonly images: readonly GuardedImage[];
} {
  const images = ['containers', 'initContainers'].flatMap((field) => {
    const path = `spec.pod.overlay.spec.${field}`;
    return readList(pod?.overlay, ['spec', field]).flatMap((container, index) => {
      const image = readString(container, ['image']);
      return image === undefined ? [] : [{ field: `${path}[${index}].image`, image }];
    });
  });
  return { hostPath: hostPathOf(model), images };
}
