/**
 * What of an overlay cannot be merged: fields that Modelberth owns, words that are no field of a pod, and what would
 * reach onto the node. Every fault is a sentence that names the field as the author typed it. What is below a free field
 * is not looked at: the API server refuses there what it does not know.
 */
import { isRecord, readList, readPath, readString } from '../kubernetes/object.ts';
import { engineFields, type FieldTable, otherFields, podFields } from './overlay-fields.ts';
import { ownMounts, ownVolumes } from './own-volumes.ts';
import type { PodSettings } from './pod-settings.ts';

const root = 'spec.pod.overlay';
/** Labels and annotations by which pods are found. */
const ownKey = /(^|\.)modelberth\.dev\/|^app\.kubernetes\.io\/managed-by$|^leaderworkerset\.sigs\.k8s\.io\//;

/** Every fault of the overlay of a claim; none where it has no overlay. */
export function findOverlayFaults({ overlay, volumes = [] }: PodSettings): readonly string[] {
  if (overlay === undefined) return [];
  const unknown = Object.keys(overlay).filter((field) => field !== 'metadata' && field !== 'spec');
  const named = volumes.map(({ name }) => name);
  return [
    ...unknown.map((field) => `${root}.${field} is no field of a pod template: it has metadata and spec`),
    ...faultsOfMetadata(overlay.metadata),
    ...faultsOfShape(overlay.spec, `${root}.spec`),
    ...faultsOfPod(overlay.spec, named),
  ];
}

function faultsOfMetadata(metadata: unknown): readonly string[] {
  const at = `${root}.metadata`;
  if (metadata === undefined) return [];
  if (!isRecord(metadata)) return [`${at} is no object: write labels and annotations in it`];
  const others = Object.keys(metadata).filter((field) => field !== 'labels' && field !== 'annotations');
  const keys = ['labels', 'annotations'].flatMap((field) => {
    const map = metadata[field];
    const owned = Object.keys(isRecord(map) ? map : {}).filter((key) => ownKey.test(key));
    return owned.map((key) => `${at}.${field} has "${key}", by which Modelberth finds its pods: take another key`);
  });
  return [...others.map((field) => `${at}.${field} cannot be set: only labels and annotations can`), ...keys];
}

function faultsOfShape(spec: unknown, at: string): readonly string[] {
  return spec === undefined || isRecord(spec) ? [] : [`${at} is no object: write fields of a pod in it`];
}

function faultsOfPod(spec: unknown, named: readonly string[]): readonly string[] {
  const at = `${root}.spec`;
  const onNodes =
    readPath(spec, ['affinity', 'nodeAffinity']) === undefined
      ? []
      : [`${at}.affinity.nodeAffinity is owned by Modelberth: ${podFields.owned.nodeSelector}`];
  return [
    ...faultsOfFields(spec, podFields, at),
    ...onNodes,
    ...['containers', 'initContainers'].flatMap((field) => {
      return readList(spec, [field]).flatMap((one, index) => faultsOfContainer(one, field, `${at}.${field}[${index}]`));
    }),
    ...readList(spec, ['volumes']).flatMap((one, index) => faultsOfVolume(one, named, `${at}.volumes[${index}]`)),
  ];
}

function faultsOfFields(value: unknown, { free, owned }: FieldTable, at: string): readonly string[] {
  return Object.keys(isRecord(value) ? value : {}).flatMap((field) => {
    if (free.includes(field)) return [];
    const use = Object.hasOwn(owned, field) ? owned[field] : undefined;
    if (use !== undefined) return [`${at}.${field} is owned by Modelberth: ${use}`];
    const near = [...free, ...Object.keys(owned)].find((known) => known.toLowerCase() === field.toLowerCase());
    return [`${at}.${field} is no field there${near === undefined ? '' : `; did you mean "${near}"?`}`];
  });
}

function faultsOfContainer(container: unknown, list: string, at: string): readonly string[] {
  const name = readString(container, ['name']);
  if (name === undefined)
    return [`${at}.name is missing: containers are merged by name, that of the engine is "engine"`];
  if (name === 'engine' && list === 'containers')
    return [...faultsOfFields(container, engineFields, at), ...faultsOfMounts(container, at)];
  if (name === 'engine') return [`${at}.name is "engine", which is the container that serves: take another name`];
  const image =
    readString(container, ['image']) === undefined
      ? [`${at}.image is missing: "${name}" is no container of Modelberth, so it needs one`]
      : [];
  return [...faultsOfFields(container, otherFields, at), ...image, ...faultsOfPrivilege(container, at)];
}

/** What a container beside the engine could take of the node. */
function faultsOfPrivilege(container: unknown, at: string): readonly string[] {
  const security = readPath(container, ['securityContext']);
  const privileges = ['privileged', 'allowPrivilegeEscalation'].filter((field) => readPath(security, [field]) === true);
  const added = readList(security, ['capabilities', 'add']).length > 0 ? ['capabilities.add'] : [];
  return [...privileges, ...added].map(
    (field) => `${at}.securityContext.${field} is refused: no container of a replica gains privileges`,
  );
}

function faultsOfMounts(container: unknown, at: string): readonly string[] {
  return readList(container, ['volumeMounts']).flatMap((mount, index) => {
    const path = readString(mount, ['mountPath']) ?? '';
    const isOwn = ownMounts.some((own) => path === own || path.startsWith(`${own}/`));
    return isOwn
      ? [`${at}.volumeMounts[${index}].mountPath is "${path}", which Modelberth mounts: take another path`]
      : [];
  });
}

function faultsOfVolume(volume: unknown, named: readonly string[], at: string): readonly string[] {
  const name = readString(volume, ['name']);
  if (name === undefined) return [`${at}.name is missing: volumes are merged by name`];
  if (ownVolumes.some((own) => own === name))
    return [`${at}.name is "${name}", which is a volume of Modelberth: take another name`];
  if (named.includes(name)) return [`${at}.name is "${name}", which spec.pod.volumes has too: keep one of them`];
  if (readPath(volume, ['hostPath']) !== undefined)
    return [
      `${at}.hostPath is refused: ${podFields.owned.hostNetwork}; weights come from a directory of the node by spec.model.weights`,
    ];
  return [];
}
