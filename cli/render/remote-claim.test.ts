import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { isKubernetesObject, readString } from '../../domain/kubernetes/object.ts';
import { askedManifest, isWrapped } from '../../domain/kubernetes/remote/remote-object.ts';
import { runVerb } from '../../test/run-verb.ts';
import { renderCommand } from './render-command.ts';

const hello = join(import.meta.dirname, '../../examples/hello');
let folder: string;

/** The example with its cluster reached from another one. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remote-'));
  cpSync(hello, folder, { recursive: true });
  const platform = join(folder, '1-platform.yaml');
  const last = '      - { id: subnet-0c3, zone: eu-west-1c }\n';
  const written = readFileSync(platform, 'utf8');
  if (!written.includes(last)) throw new Error('the example has another cluster');
  const access = '  access: { type: Remote, providerConfigName: europe, namespacePrefix: hub- }\n';
  writeFileSync(platform, written.replace(last, `${last}${access}`));
});
afterAll(() => rmSync(folder, { recursive: true }));

function render(...args: readonly string[]) {
  return runVerb(renderCommand, ['-f', folder, '--now', '2026-12-01T12:00:00Z', ...args]);
}

describe('modelberth render of a claim on a Remote cluster', () => {
  test('names what runs there, not its envelopes, and says what it assumes', async () => {
    const { out } = await render();
    expect(out).toMatch(/^llama-0-l4-\S+ +NodeGroup +Asked +g6\.xlarge/m);
    expect(out).toMatch(/^llama-0 +Deployment +Planned +composed when its nodes are there/m);
    expect(out).toMatch(/^5 more +Created +Namespace, NetworkPolicy,/m);
    expect(out).not.toMatch(/ Object /);
    expect(out).toMatch(/Settled after \d rounds; .*, and the Remote cluster to be in sight/);
  });

  test('prints each manifest in its Object, for the namespace on the cluster', async () => {
    const { out } = await render('-o', 'yaml');
    const objects = parseAllDocuments(out).map((document): unknown => document.toJS());
    const manifests = objects.filter(isKubernetesObject).filter(isWrapped).map(askedManifest);
    const places = manifests.map((manifest) => `${manifest?.kind} ${readString(manifest, ['metadata', 'namespace'])}`);
    expect(places).toEqual(
      expect.arrayContaining(['Service hub-chat', 'NetworkPolicy hub-chat', 'PodDisruptionBudget hub-chat']),
    );
    expect(objects.filter(isKubernetesObject).map(({ kind }) => kind)).not.toContain('Service');
  });

  test('L45 takes the nodes that are given for those of its existing pools', async () => {
    const nodes = join(folder, 'nodes.txt');
    const labels = { rack: 'gpu' };
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    writeFileSync(nodes, JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels }, status }));
    const platform = join(folder, '1-platform.yaml');
    const written = readFileSync(platform, 'utf8');
    const node = '{ accelerators: 4, allocatableCpu: "60", allocatableMemory: 500Gi, usdPerHour: 1 }';
    const pools = `  pools: [{ name: racks, className: l4, nodeSelector: { rack: gpu }, node: ${node} }]\n`;
    writeFileSync(
      platform,
      written.replace(/^ {2}access: .*\n/m, (line) => `${line}${pools}`),
    );
    const { out } = await render('--required', nodes);
    writeFileSync(platform, written);
    expect(out).toMatch(/^llama-0 +Pool +Usable +pool racks: 1 accelerator on n1$/m);
    expect(out).not.toMatch(/NodeGroup/);
  });
});
