import { startLocalFunctions } from '../crossplane/local-functions.ts';
import { readInstalledKinds } from '../crossplane/package-files.ts';
import { reconcileWorld, type WorldQuestion, type WorldResult } from '../crossplane/reconcile-world.ts';
import { readObjects } from '../read-objects.ts';
import { UnreadableInput } from '../unreadable.ts';
import { assumeInSight } from './assume-in-sight.ts';
import { assumeInstalled } from './assume-installed.ts';
import { findFaults, findObservedFaults } from './find-faults.ts';

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
  refuse(files.file, findFaults(given, kinds));
  refuse(files.observed ?? '', findObservedFaults(observed, kinds));
  const functions = await startLocalFunctions(() => files.now);
  try {
    const assume: WorldQuestion['assume'] = (composed) => assumeInSight(composed, given, files.now);
    return await reconcileWorld({ given, observed, kinds, call: functions.call, schema: assumeInstalled(), assume });
  } finally {
    await functions.stop();
  }
}

function refuse(file: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new UnreadableInput(`Cannot render "${file}": ${faults.slice(0, 5).join('; ')}`);
}
