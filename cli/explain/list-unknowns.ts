import type { HardwareClass } from '../../domain/hardware/hardware-class.ts';
import { isRecord, type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import { inactiveOf, problemsOf } from '../render/describe-xr.ts';
import { explainMemory } from './explain-memory.ts';
import type { ExplainedStream } from './explain-stream.ts';
import type { DeploymentReading } from './read-deployment.ts';

/** What is not known of a deployment: conditions, facts, prices. Each is one sentence. */
export function listUnknowns(reading: DeploymentReading): readonly string[] {
  return [
    ...unknownConditions([reading.xr, ...reading.replicas]),
    ...inactiveOf(reading.xr),
    ...unknownFacts(reading),
    ...unknownImage(reading.classes),
    ...reading.classes.flatMap(unknownPrices),
    ...unknownPoolPrices(reading),
  ];
}

/** What is not known of a service: its conditions, those of its gateway, and limits that are not rendered. */
export function listServiceUnknowns(
  service: KubernetesObject,
  gateway: KubernetesObject | undefined,
  stream: ExplainedStream,
): readonly string[] {
  const limits = stream.unknown.map((hop) => `The limit of the ${hop}: its object is not rendered yet`);
  const xrs = gateway === undefined ? [service] : [service, gateway];
  return [...unknownConditions(xrs), ...xrs.flatMap(inactiveOf), ...limits];
}

/** Conditions that are Unknown, each with its reason; those that refuse are problems, and are said there. */
export function unknownConditions(xrs: readonly KubernetesObject[]): readonly string[] {
  return xrs.flatMap((xr) => {
    const problems = problemsOf(xr);
    const subject = `${xr.kind} "${xr.metadata.name ?? ''}"`;
    return readList(xr, ['status', 'conditions'])
      .filter(isRecord)
      .filter(({ type, status }) => status === 'Unknown' && type !== 'Ready' && type !== 'Synced')
      .map(({ type, reason, message }) => `${String(type)}=Unknown ${String(reason)}: ${String(message)}`)
      .filter((condition) => !problems.includes(condition))
      .map((condition) => `${subject} ${condition}`);
  });
}

function unknownFacts(reading: DeploymentReading): readonly string[] {
  const memory = explainMemory(reading);
  const { model } = reading.spec;
  const facts: string[] = [];
  if (memory !== undefined && memory.missing.length > 0)
    facts.push(`Facts of "${model.name}" that the fit needs: ${memory.missing.join(', ')}; state them in the claim`);
  if (memory?.terms.some(({ name, origin }) => name === 'weights' && origin === 'estimate') === true)
    facts.push('The bytes of the weight files; the figure is an estimate, so state spec.model.facts.weightBytes (L4)');
  if (model.revision === undefined && (model.weights?.type ?? 'Hub') === 'Hub')
    facts.push(`The commit of "${model.name}": replicas load the newest at each start; set spec.model.revision`);
  return facts;
}

/** An image is built for one vendor, and its name proves neither. */
function unknownImage(classes: readonly HardwareClass[]): readonly string[] {
  const vendors = [...new Set(classes.map(({ accelerator }) => accelerator.vendor))].sort();
  if (vendors.length < 2) return [];
  return [
    `Whether spec.engine.image runs on ${vendors.join(' and ')}: an image is built for one vendor; make a ModelDeployment for each, behind one ModelService`,
  ];
}

function unknownPoolPrices({ clusters, classes }: DeploymentReading): readonly string[] {
  return clusters.flatMap(({ cluster }) =>
    cluster.pools
      .filter(({ className, node }) => node.usdPerHour === undefined && classes.some(({ name }) => name === className))
      .map(({ name }) => `Price of pool "${name}": set its node.usdPerHour in InferenceCluster "${cluster.name}"`),
  );
}

function unknownPrices({ name, nodeTypes, priceReadOn }: HardwareClass): readonly string[] {
  const unpriced = nodeTypes.filter(({ usdPerHour }) => usdPerHour === undefined).map((type) => type.instanceType);
  const prices =
    unpriced.length === 0 ? [] : [`Price of ${unpriced.join(', ')}: set usdPerHour in InferenceClass "${name}"`];
  const isDated = priceReadOn !== undefined || unpriced.length === nodeTypes.length;
  return isDated ? prices : [...prices, `When the prices of class "${name}" were read: set spec.priceReadOn of it`];
}
