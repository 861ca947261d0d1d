/** Starts one cluster for all test files of the project `cluster`, and says how it is reached. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { definitions } from '../../../apis/definitions.ts';
import { isKubernetesObject, isRecord, type KubernetesObject, readList } from '../../../domain/kubernetes/object.ts';
import { type ClusterToolbox, findClusterToolbox } from '../../../scripts/tool-cache.ts';
import { convertDefinition } from '../../crossplane/api-server.ts';
import { readObjects } from '../../render/read-cases.ts';
import { type ApiClient, apply, type ClusterAccess, connect, read } from './api-client.ts';
import { endProgram } from './child-process.ts';
import { startControlPlane } from './control-plane.ts';
import { startLeaderWorkerSet } from './leader-worker-set.ts';
import { until } from './until.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly cluster: ClusterAccess;
  }
}

/** Runs before the first test file of the project; what it returns runs after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const toolbox = findClusterToolbox();
  if ('missing' in toolbox)
    throw new Error(
      `Cannot test with the real Kubernetes: ${toolbox.missing.join(', ')} not installed; run "npm run tools"`,
    );
  const controlPlane = await startControlPlane(toolbox.kubernetes);
  const { url, certificateAuthority, token } = controlPlane;
  const client = connect({ url, certificateAuthority, token });
  try {
    await installDefinitions(client, toolbox);
    const leaderWorkerSet = await startLeaderWorkerSet(toolbox.leaderWorkerSet, client, controlPlane);
    project.provide('cluster', { url, certificateAuthority, token });
    return async () => {
      client.close();
      await endProgram(leaderWorkerSet);
      await controlPlane.stop();
    };
  } catch (error) {
    client.close();
    await controlPlane.stop();
    throw error;
  }
}

/** Installs the CRDs that others publish, and those of our own XRDs as Crossplane makes them. */
async function installDefinitions(client: ApiClient, toolbox: ClusterToolbox): Promise<void> {
  const foreign = readdirSync(toolbox.crds).flatMap((file) => readObjects(join(toolbox.crds, file)));
  const own = await Promise.all(definitions.map(({ plural }) => convertDefinition(toolbox, plural)));
  const all = [...foreign, ...own.filter(isKubernetesObject)];
  for (const definition of all) await apply(client, definition);
  for (const definition of all)
    await until(`${definition.metadata.name} is served`, async () => isServed(await read(client, definition)));
}

function isServed(definition: KubernetesObject | undefined): true | undefined {
  const conditions = readList(definition, ['status', 'conditions']).filter(isRecord);
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True') ? true : undefined;
}
