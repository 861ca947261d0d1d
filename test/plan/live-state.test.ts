import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { asPrinted, servePoc2 } from './serve-poc-2.ts';

const folder = join(import.meta.dirname, 'poc-2-live');

/** Which file an object of the live state stands in. */
function fileOf({ apiVersion, kind }: KubernetesObject): string {
  if (apiVersion.startsWith('modelberth.dev/')) return '1-claims.yaml';
  return ['EndpointSlice', 'HTTPRoute', 'Node', 'Pod'].includes(kind) ? '3-made-by-others.yaml' : '2-composed.yaml';
}

test('the live state is what examples/poc-2 renders and serves, with an older engine and a renamed pool', async () => {
  const files = Map.groupBy(asPrinted(await servePoc2()), fileOf);
  for (const [file, objects] of files) {
    const documents = objects.map(
      (object) => `---\n${stringify(object, { aliasDuplicateObjects: false, lineWidth: 0 })}`,
    );
    await expect(documents.join('')).toMatchFileSnapshot(join(folder, file));
  }
  expect([...files.keys()].sort()).toEqual(['1-claims.yaml', '2-composed.yaml', '3-made-by-others.yaml']);
});
