/** What Envoy Gateway would tell Envoy of given objects, without running either: `egctl x translate`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { isRecord, type KubernetesObject, readList, readPath, readString } from '../../../domain/kubernetes/object.ts';
import { runProgram } from '../../crossplane/run-program.ts';
import { gatewayClass } from './cluster-objects.ts';
import { readGatewayToolbox } from './gateway-toolbox.ts';
import { toStandalone } from './to-standalone.ts';

/** A policy or route that Envoy Gateway does not accept, or whose references it cannot resolve. */
export interface Refused {
  readonly object: string;
  readonly condition: string;
}

/** The listeners of Envoy, as YAML: what must not change lest running streams end. */
export async function translateListeners(
  rendered: readonly KubernetesObject[],
  beside: readonly KubernetesObject[],
): Promise<string> {
  return await translate(rendered, beside, ['--to', 'xds', '-t', 'listener']);
}

/** Conditions that are False although they should be True. */
export async function findRefused(
  rendered: readonly KubernetesObject[],
  beside: readonly KubernetesObject[],
): Promise<readonly Refused[]> {
  const output: unknown = parse(await translate(rendered, beside, ['--to', 'gateway-api']));
  const objects = isRecord(output)
    ? Object.values(output).flatMap((list) => (Array.isArray(list) ? list : [list]))
    : [];
  return objects.flatMap((object) => {
    const owners = [...readList(object, ['status', 'ancestors']), ...readList(object, ['status', 'parents'])];
    const conditions = owners.flatMap((owner) => readList(owner, ['conditions']));
    const wrong = conditions.filter(
      (condition) =>
        ['Accepted', 'ResolvedRefs'].includes(readString(condition, ['type']) ?? '') &&
        readPath(condition, ['status']) !== 'True',
    );
    const name = `${readString(object, ['kind'])}/${readString(object, ['metadata', 'name'])}`;
    return wrong.map((condition) => ({ object: name, condition: readString(condition, ['message']) ?? '' }));
  });
}

async function translate(
  rendered: readonly KubernetesObject[],
  beside: readonly KubernetesObject[],
  options: readonly string[],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'modelberth-translate-'));
  const file = join(folder, 'objects.yaml');
  const objects = toStandalone(rendered, {
    tier: 'Translation',
    engines: {},
    accessLog: '/dev/stdout',
    drainSeconds: 5,
  });
  writeFileSync(file, [gatewayClass, ...objects, ...beside].map((object) => stringify(object)).join('---\n'));
  try {
    const args = ['x', 'translate', '--from', 'gateway-api', ...options, '-o', 'yaml', '--file', file];
    const { code, stdout, stderr } = await runProgram(readGatewayToolbox().egctl, args, '');
    if (code !== 0) throw new Error(`Cannot translate with egctl: ${stderr}`);
    return stdout.toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
