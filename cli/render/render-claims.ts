import { features } from '../../domain/kubernetes/feature.ts';
import { apiVersion } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { startLocalFunctions } from '../crossplane/local-functions.ts';
import { type InstalledKind, readInstalledKinds } from '../crossplane/package-files.ts';
import { reconcileWorld, type WorldResult } from '../crossplane/reconcile-world.ts';
import { findUnknownFields } from '../find-unknown-fields.ts';
import { readObjects } from '../read-objects.ts';
import { UnreadableInput } from '../unreadable.ts';

export interface RenderFiles {
  readonly file: string;
  readonly observed?: string;
  readonly required?: string;
  readonly now: Date;
}

/** Renders claims through the real functions, as core would reconcile them. Throws `UnreadableInput`. */
export async function renderClaims(files: RenderFiles): Promise<WorldResult> {
  const kinds = readInstalledKinds();
  const claims = readObjects(files.file);
  const required = files.required === undefined ? [] : readObjects(files.required);
  const observed = files.observed === undefined ? [] : readObjects(files.observed);
  if (!claims.some((claim) => kinds.has(claim.kind))) {
    const wanted = [...kinds.keys()].sort().join(', ');
    throw new UnreadableInput(`Cannot render "${files.file}": it has no claim; write one of ${wanted}`);
  }
  const given = [...claims, ...required];
  const faults = given.flatMap((object) => faultsOf(object, kinds.get(object.kind)));
  if (faults.length > 0) throw new UnreadableInput(`Cannot render "${files.file}": ${faults.slice(0, 5).join('; ')}`);
  const functions = await startLocalFunctions(files.now);
  try {
    return await reconcileWorld({ given, observed, kinds, call: functions.call, schema: assumeInstalled });
  } finally {
    await functions.stop();
  }
}

/** What the API server would refuse: another version of our API, fields that are not declared, and no spec at all. */
function faultsOf(object: KubernetesObject, installed: InstalledKind | undefined): readonly string[] {
  if (installed === undefined) return [];
  const { apiVersion: version, kind, metadata, status: _status, ...content } = object;
  const subject = `${kind} "${metadata.name ?? ''}"`;
  if (version !== apiVersion) return [`${subject}: apiVersion is "${version}"; write "${apiVersion}"`];
  const unknown = findUnknownFields(installed.schema, content, '');
  const missing = 'spec' in content || unknown.length > 0 ? [] : ['spec is missing'];
  return [...unknown, ...missing].map((fault) => `${subject}: ${fault}`);
}

/** Without a cluster every optional part counts as installed; the table says so. */
function assumeInstalled({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) {
  const known = Object.values(features).some((feature) => feature.apiVersion === apiVersion && feature.kind === kind);
  return known ? { type: 'object' } : undefined;
}
