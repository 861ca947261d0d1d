import { join } from 'node:path';
import { readObjects } from '../cli/read-objects.ts';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';

/** One XR and everything that a pass over it reads. */
export interface Scene {
  readonly xr: KubernetesObject;
  /** Its composed resources as observed, each with its key as annotation. */
  readonly observed: readonly KubernetesObject[];
  /** Everything else that it may require. */
  readonly required: readonly KubernetesObject[];
}

const root = join(import.meta.dirname, '..');

/** The time of the golden cases, and so of every scene: the state of a claim depends on it. */
export const sceneTime = '2026-12-01T12:00:00Z';

/** The objects of a file or folder of this repository. */
export function readScenery(path: string): readonly KubernetesObject[] {
  return readObjects(join(root, path));
}

/** A golden case as a scene. */
export function readGoldenCase(name: string): Scene {
  const folder = `test/render/cases/${name}`;
  const [xr] = readScenery(`${folder}/xr.yaml`);
  if (xr === undefined) throw new Error(`Cannot bench golden case "${name}": its xr.yaml is empty`);
  return { xr, observed: readScenery(`${folder}/observed.yaml`), required: readScenery(`${folder}/required.yaml`) };
}

/** The first object of a kind. Throws when there is none, because a bench of nothing proves nothing. */
export function firstOf(objects: readonly KubernetesObject[], kind: string): KubernetesObject {
  const found = objects.find((object) => object.kind === kind);
  if (found === undefined) throw new Error(`Cannot build a scene: it has no ${kind}`);
  return found;
}
