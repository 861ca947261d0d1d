import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { isRecord, readList, readPath, readString } from '../../domain/kubernetes/object.ts';
import { readInput } from '../../functions/input.ts';
import { functionNames } from '../../functions/steps.ts';
import { imageConfig } from '../../scripts/package/image-tarball.ts';
import { functionRepository, installedName, sourceRelease } from '../../scripts/package/release.ts';
import { pinFunctions, stampComposition } from '../../scripts/package/stage-configuration.ts';
import { targets } from '../../scripts/package/target.ts';
import { readCases, readExpected, readObjects, root } from '../render/read-cases.ts';

const text = (path: string) => readFileSync(join(root, path), 'utf8');
const other = { repository: 'registry.example.com/team/modelberth', version: 'v9.8.7' };
const kinds = ['inferenceclasses', 'inferencegateways', 'modelreplicas', 'modelservices'];

/** What `ToDNSLabel` of crossplane-runtime 2.4.0 answers, read in its source. */
const names: readonly [string, string][] = [
  ['registry.example.org/modelberth/placement', 'modelberth-placement'],
  ['127.0.0.1:5000/org/fn.e2e2', 'org-fn-e2e2'],
  ['registry.example.com/team_a/modelberth/gateway', 'teama-modelberth-gateway'],
];
test.each(names)('the package manager installs %s as %s', (repository, name) => {
  expect(installedName(repository)).toBe(name);
});

describe('crossplane.yaml', () => {
  const dependencies = (meta: string) =>
    readList(parse(meta), ['spec', 'dependsOn'])
      .filter(isRecord)
      .map(({ kind, package: source, version }) => ({ kind, source, version }));

  test('pins the four Functions in the version of package.json, and no other', () => {
    const pinned = dependencies(text('crossplane.yaml')).filter(({ kind }) => kind === 'Function');
    const { version } = sourceRelease();
    expect(pinned).toEqual(
      functionNames.map((name) => ({ kind: 'Function', source: functionRepository(sourceRelease(), name), version })),
    );
  });

  test('takes providers in a range of versions, and activates the kinds of theirs that golden cases compose', () => {
    const providers = dependencies(text('crossplane.yaml')).filter(({ kind }) => kind === 'Provider');
    expect(providers.every(({ version }) => /^>=v\d.*, <v\d/.test(String(version)))).toBe(true);
    const composed = readCases()
      .flatMap((question) => readList(readExpected(question), ['composed']))
      .filter(isRecord);
    const managed = composed.filter(({ apiVersion }) => /\.m\.(upbound|crossplane)\.io\//.test(String(apiVersion)));
    const activated = managed.map(
      ({ apiVersion, kind }) => `${String(kind).toLowerCase()}s.${String(apiVersion).split('/')[0]}`,
    );
    const [policy] = readObjects(join(root, 'package/activation.yaml'));
    expect([...new Set(activated)].sort()).toEqual(readPath(policy, ['spec', 'activate']));
    const groups = new Set(managed.map(({ apiVersion }) => String(apiVersion).split('/')[0]));
    expect(groups).toEqual(new Set(['eks.aws.m.upbound.io', 'kubernetes.m.crossplane.io', 'ec2.aws.m.upbound.io']));
    expect(providers.map(({ source }) => String(source).split('/').at(-1))).toEqual([
      'provider-aws-ec2',
      'provider-aws-eks',
      'provider-kubernetes',
    ]);
  });

  test('names another place and version when it is packaged for them, and keeps the rest', () => {
    const pinned = pinFunctions(parseDocument(text('crossplane.yaml')), other);
    const back = pinned.replaceAll(other.repository, sourceRelease().repository).replaceAll('v9.8.7', 'v0.1.0');
    expect(parse(back)).toEqual(parse(text('crossplane.yaml')));
    expect(dependencies(pinned)[0]).toEqual({
      kind: 'Function',
      source: 'registry.example.com/team/modelberth/placement',
      version: 'v9.8.7',
    });
  });
});

describe('a packaged Composition', () => {
  test.each(kinds)(
    'of %s calls functions by the names that they get, and tells each an Input that it takes',
    (plural) => {
      const stamped = parse(stampComposition(parseDocument(text(`compositions/${plural}.yaml`)), other));
      const steps = readList(stamped, ['spec', 'pipeline']).filter(isRecord);
      expect(steps.length).toBeGreaterThan(0);
      for (const step of steps) {
        const name = functionNames.find((known) => known === step.step);
        if (name === undefined) throw new Error(`no function for step ${step.step}`);
        expect(readString(step, ['functionRef', 'name'])).toBe(`team-modelberth-${name}`);
        const input = readPath(step, ['input']);
        const told = readInput(name, isRecord(input) ? input : undefined);
        expect(told).toMatchObject({ state: 'Valid', value: { packageVersion: 'v9.8.7' } });
      }
    },
  );

  test('calls the functions of the sources by the names that the sources have', () => {
    const source = text('compositions/modelreplicas.yaml');
    const stamped = parse(stampComposition(parseDocument(source), sourceRelease()));
    const namesOf = (composition: unknown) =>
      readList(composition, ['spec', 'pipeline']).map((step) => readString(step, ['functionRef', 'name']));
    expect(namesOf(stamped)).toEqual(namesOf(parse(source)));
  });

  test('with a step of somebody else is refused', () => {
    const foreign = text('compositions/modelservices.yaml').replace('modelberth-gateway', 'function-auto-ready');
    expect(() => stampComposition(parseDocument(foreign), other)).toThrow(
      /step "gateway": its function is none of ours/,
    );
  });
});

describe('the Dockerfile', () => {
  const stages = text('Dockerfile')
    .split(/^FROM /m)
    .slice(1);
  const [target] = targets;

  test.each(functionNames)('has a stage for %s with the command of the image that is made without it', (name) => {
    if (target === undefined) throw new Error('no target');
    const { config } = imageConfig({ name, target, version: '$VERSION', layers: [] }) as {
      config: { Entrypoint: string[]; User: string; Env: string[] };
    };
    const stage = stages.find((lines) => lines.startsWith(`image AS ${name}\n`));
    expect(JSON.parse(/^ENTRYPOINT (.*)$/m.exec(stage ?? '')?.[1] ?? 'null')).toEqual(config.Entrypoint);
    const image = stages.find((lines) => lines.startsWith('scratch AS image\n')) ?? '';
    expect(/^USER (.*)$/m.exec(image)?.[1]).toBe(config.User);
    expect(/^ARG VERSION=(.*)$/m.exec(image)?.[1]).toBe(sourceRelease().version);
    expect(/^ENV (.*)$/m.exec(image)?.[1]?.split(' ')).toEqual(config.Env);
  });

  test('copies nothing into the image but what the script lays out', () => {
    const image = stages.filter((lines) => !lines.includes(' AS build\n')).join('');
    expect(image.match(/^(COPY|ADD|RUN) .*$/gm)).toEqual(['COPY --from=build /image/ /']);
    expect(stages[0]).toContain('node scripts/package/lay-out-image.ts "$TARGETARCH" /image');
  });
});
