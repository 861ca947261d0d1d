import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionName } from '../../functions/steps.ts';

/** Where the five packages of one release go, and as which version. */
export interface Release {
  /** The path before the name of each package, such as `registry.example.org/modelberth`. */
  readonly repository: string;
  /** With its "v", such as `v0.1.0`. */
  readonly version: string;
}

const root = join(import.meta.dirname, '../..');

/** The release that the sources name: the repository that `crossplane.yaml` names, the version of `package.json`. */
export function sourceRelease(): Release {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { repository: 'registry.example.org/modelberth', version: `v${version}` };
}

/** The repository of a Function package. */
export function functionRepository({ repository }: Release, name: FunctionName): string {
  return `${repository}/${name}`;
}

/** The image of the evidence Jobs: that of the function which asks for them, since all four have the same layers. */
export function evidenceImage(release: Release): string {
  return `${functionRepository(release, 'rollout-strategy')}:${release.version}`;
}

/**
 * The name that Crossplane's package manager gives to a dependency: its path without the registry, as a DNS label
 * (`ToDNSLabel` of crossplane-runtime 2.4.0, `pkg/xpkg/name.go`). Compositions have to call a function by it.
 */
export function installedName(repository: string): string {
  const path = repository.slice(repository.indexOf('/') + 1);
  const label = path.slice(0, 63).replace(/[./:]/g, '-');
  return label.replace(/[^a-z0-9-]/g, '').replace(/^-+|-+$/g, '');
}
