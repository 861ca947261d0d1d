/** What a platform team has before it installs Modelberth: other people's CRDs, namespaces, an issuer, the AI gateway. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import { readCases, readObjects } from '../../render/read-cases.ts';
import { type ApiClient, apply, read } from '../cluster/api-client.ts';
import { until } from '../cluster/until.ts';
import { isTrue } from './install-packages.ts';

/** The CRDs of these come from packages: Crossplane's own, and those of its providers. */
const packaged = /^(apiextensions|pkg|protection)\.crossplane\.io|\.m\.(upbound|crossplane)\.io_/;
const namespaces = ['coding', 'modelberth-gateway', 'envoy-gateway-system', 'envoy-ai-gateway-system'];

/** Installs the platform on a new API server. */
export async function installPlatform(client: ApiClient, crds: string): Promise<void> {
  const files = readdirSync(crds).filter((file) => !packaged.test(file));
  const definitions = files.flatMap((file) => readObjects(join(crds, file)));
  for (const definition of definitions) await apply(client, definition);
  for (const definition of definitions) {
    await until(`${definition.metadata.name} is served`, async () =>
      isTrue(await read(client, definition), 'Established') ? true : undefined,
    );
  }
  for (const name of namespaces) await apply(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const object of goldenPlatform()) await apply(client, object);
}

/** The settings of Envoy Gateway and the issuer, as golden cases have them. */
function goldenPlatform(): readonly KubernetesObject[] {
  const wanted = [
    ['ConfigMap', 'envoy-gateway-config'],
    ['ClusterIssuer', 'letsencrypt-dns'],
  ];
  const required = readCases().flatMap((step) => step.required);
  return wanted.flatMap(([kind, name]) => {
    const found = required.find((object) => object.kind === kind && object.metadata.name === name);
    if (found === undefined) throw new Error(`No golden case has ${kind} "${name}"`);
    const { status: _, ...object } = found;
    return [object as KubernetesObject];
  });
}
