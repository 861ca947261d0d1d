/**
 * The parts of a cluster: which are there, in which version, and what is set up wrongly. A part that only some claims
 * need makes nothing False here: the claim that needs it says so itself (a gang that is refused, a gateway that is not
 * secured). The exception is an extension that Envoy Gateway does not call, since no object of any claim shows it.
 */
import { z } from 'zod';
import type { Condition } from './condition.ts';
import { judgeExtension } from './envoy-extension.ts';
import { type Feature, type FeatureName, features } from './feature.ts';
import { imageVersion } from './image-version.ts';

/** One part of a cluster, as a status shows it. */
export const StackPart = z
  .object({
    name: z.string().describe('Name of the part.'),
    state: z
      .enum(['Installed', 'Missing', 'Unsuitable', 'Unknown'])
      .describe(
        'Installed: it is there. Missing: it is not. Unsuitable: it is there, and too old or set up wrongly. Unknown: it is there, and what would tell how it is set up was not found.',
      ),
    version: z
      .string()
      .optional()
      .describe('Version that the image of its controller names, e.g. `1.9.0`. Unset: not found.'),
    found: z.string().optional().describe('What else was found of it, e.g. the DeviceClasses of the DRA driver.'),
    fix: z.string().optional().describe('What to install or to set. Unset where nothing is to be done.'),
    without: z
      .string()
      .optional()
      .describe('What does not work without it, where it is not in order. Unset then: no replica can run.'),
  })
  .describe('One part of the cluster.');
export type StackPart = z.output<typeof StackPart>;

/** What was seen of a cluster beside the kinds that it knows; undefined: not found, or nobody could look. */
export interface StackDetails {
  /** The configuration of Envoy Gateway, parsed. */
  readonly envoyGateway?: unknown;
  /** Image of the controller of a part. */
  readonly images: ReadonlyMap<FeatureName, string>;
  /** DeviceClasses of the vendors that exist. */
  readonly deviceClasses?: readonly string[] | undefined;
}

export interface StackQuestion {
  readonly found: readonly (readonly [FeatureName, boolean])[];
  readonly allocation: 'DRA' | 'DevicePlugin';
  readonly details: StackDetails;
}

/** Every part, sorted by name. */
export function listParts(question: StackQuestion): readonly StackPart[] {
  const { found } = question;
  const parts = found.map(([name, isThere]) => partOf(name, isThere, question));
  const hasDra = found.some(([name, isThere]) => name === 'DynamicResourceAllocation' && isThere);
  const all = [...parts, ...(hasDra ? [driverPart(question)] : [])];
  return all.map(withoutWhatIsThere).sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Of a part that is in order nobody asks what it is for. */
function withoutWhatIsThere({ without, ...part }: StackPart): StackPart {
  return part.state === 'Installed' || without === undefined ? part : { ...part, without };
}

const tooOld = 'too old';
const notOfPlugin = 'nothing: accelerators come from the device plugin';

function partOf(name: FeatureName, isThere: boolean, { allocation, details }: StackQuestion): StackPart {
  const feature: Feature = features[name];
  const isPlugin = name === 'DynamicResourceAllocation' && allocation === 'DevicePlugin';
  const without = isPlugin ? notOfPlugin : feature.without;
  const part = { name, ...(without === undefined ? {} : { without }) };
  const fix = `install ${feature.install}`;
  if (!isThere) return { ...part, state: 'Missing', fix };
  const version = imageVersion(details.images.get(name));
  const known = { ...part, ...(version === undefined ? {} : { version: version.text }) };
  if (version !== undefined && feature.oldest !== undefined && version.isOlderThan(feature.oldest))
    return { ...known, state: 'Unsuitable', found: tooOld, fix };
  if (name === 'AIGateway') return { ...known, ...judgeExtension(details.envoyGateway) };
  return { ...known, state: 'Installed' };
}

function driverPart({ allocation, details: { deviceClasses } }: StackQuestion): StackPart {
  const part = { name: 'DRADriver', ...(allocation === 'DRA' ? {} : { without: notOfPlugin }) };
  if (deviceClasses === undefined) return { ...part, state: 'Unknown', found: 'its DeviceClass was not looked for' };
  if (deviceClasses.length === 0)
    return { ...part, state: 'Missing', fix: 'install the DRA driver of the accelerator, with its DeviceClass' };
  return { ...part, state: 'Installed', found: `DeviceClass ${[...deviceClasses].sort().join(', ')}` };
}

/** Whether replicas have every part that they cannot do without, and what else is not there or could not be seen. */
export function stackCondition(parts: readonly StackPart[]): Condition {
  const wrong = parts.filter(({ state }) => state === 'Missing' || state === 'Unsuitable');
  const needed = wrong.filter(isNeeded);
  const dispensable = wrong.filter((part) => !isNeeded(part));
  const unseen = parts.filter(({ state }) => state === 'Unknown').map(({ name }) => name);
  const notes = [
    ...dispensable.map((part) => `without ${part.name}, ${part.without}: ${describeFix(part)}`),
    ...(unseen.length === 0 ? [] : [`not seen how it is set up: ${unseen.join(', ')}`]),
  ];
  if (needed.length === 0) {
    const all = wrong.length === 0 ? 'Every part is installed' : 'Every part that is needed is installed';
    return { type: 'StackReady', status: 'True', reason: 'Complete', message: [all, ...notes].join('; ') };
  }
  const fixes = needed.map((part) => `${part.name}: ${describeFix(part)}`);
  const message = `Cannot use every part: ${[...fixes, ...notes].join('; ')}`;
  return { type: 'StackReady', status: 'False', reason: 'Incomplete', message };
}

/** A part without which no replica runs, or one that is there and works for nobody, which nothing else shows. */
function isNeeded({ name, state, found, without }: StackPart): boolean {
  return without === undefined || (name === 'AIGateway' && state === 'Unsuitable' && found !== tooOld);
}

function describeFix({ version, found, fix = '' }: StackPart): string {
  const seen = [...(version === undefined ? [] : [`version ${version}`]), ...(found === undefined ? [] : [found])];
  return [...(seen.length === 0 ? [] : [seen.join(', ')]), fix].join('; ');
}
