import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { Toolbox } from '../../scripts/tool-cache.ts';
import { root } from '../render/read-cases.ts';
import { runProgram } from './run-program.ts';

export type CustomResourceDefinition = Readonly<Record<string, unknown>>;

export interface Update {
  readonly old: KubernetesObject;
  readonly new: KubernetesObject;
}

const Answer = z.object({ definitions: z.array(z.array(z.string())), updates: z.array(z.array(z.string())) });

/** What the API server would say to each CustomResourceDefinition, and to each update; an empty list is an acceptance. */
export async function askApiServer(
  toolbox: Toolbox,
  question: { readonly definitions: readonly CustomResourceDefinition[]; readonly updates: readonly Update[] },
): Promise<z.output<typeof Answer>> {
  const { code, stdout, stderr } = await runProgram(toolbox.celcost, [], JSON.stringify(question));
  if (code !== 0) throw new Error(`Cannot judge with celcost: ${stderr}`);
  return Answer.parse(JSON.parse(stdout.toString()));
}

/** The CustomResourceDefinition that Crossplane makes of the XRD of a kind. */
export async function convertDefinition(
  toolbox: Pick<Toolbox, 'cli'>,
  plural: string,
): Promise<CustomResourceDefinition> {
  const file = join(root, 'apis', plural, 'definition.yaml');
  const { code, stdout, stderr } = await runProgram(toolbox.cli, ['xrd', 'convert', file], '');
  if (code !== 0) throw new Error(`Cannot convert ${file} with the Crossplane CLI: ${stderr}`);
  const [converted] = parseAllDocuments(stdout.toString()).map((document): unknown => document.toJS());
  if (!isRecord(converted) || !isRecord(converted.metadata))
    throw new Error(`Cannot convert ${file} with the Crossplane CLI: it printed no object`);
  // Offline, the owner has no uid, without which no API server takes an owner reference.
  const { ownerReferences: _, ...metadata } = converted.metadata;
  return { ...converted, metadata };
}
