/**
 * What tells more of the parts of a cluster than the kinds that it knows: its controllers, by whose images their versions
 * are known, the configuration of Envoy Gateway, and the DeviceClasses of the DRA drivers. Each is asked for only where
 * the kinds of its part are known (S3). On a Remote cluster none is: there the parts show as not seen.
 */
import { parse } from 'yaml';
import { drivers } from '../../domain/hardware/vendor.ts';
import { type Feature, type FeatureName, featureNames, features } from '../../domain/kubernetes/feature.ts';
import { readList, readString } from '../../domain/kubernetes/object.ts';
import type { StackDetails } from '../../domain/kubernetes/stack.ts';
import type { ComposeRequest, ResourceSelector } from '../compose.ts';

/** An object that tells of a part. */
interface Detail {
  readonly feature: FeatureName;
  readonly selector: ResourceSelector;
}

const configName = 'stack-envoy-gateway-config';
const envoyNamespace = 'envoy-gateway-system';

/** Every object that tells of a part, by the name of its requirement. */
const details: ReadonlyMap<string, Detail> = new Map([
  [
    configName,
    {
      feature: 'EnvoyGateway',
      selector: { apiVersion: 'v1', kind: 'ConfigMap', matchName: 'envoy-gateway-config', namespace: envoyNamespace },
    },
  ],
  ...Object.values(drivers).map((matchName): [string, Detail] => [
    deviceClassName(matchName),
    {
      feature: 'DynamicResourceAllocation',
      selector: { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', matchName },
    },
  ]),
  ...featureNames.flatMap((feature): [string, Detail][] => {
    const { controller }: Feature = features[feature];
    if (controller === undefined) return [];
    const { namespace, name } = controller;
    return [
      [
        controllerName(feature),
        { feature, selector: { apiVersion: 'apps/v1', kind: 'Deployment', matchName: name, namespace } },
      ],
    ];
  }),
]);

function deviceClassName(driver: string): string {
  return `stack-device-class-${driver}`;
}

function controllerName(feature: FeatureName): string {
  return `stack-controller-${feature}`;
}

/** The requirements for what tells of the parts whose kinds the control plane's own cluster knows. */
export function requireStack(request: ComposeRequest): Readonly<Record<string, ResourceSelector>> {
  const wanted = [...details].filter(([, { feature }]) => request.requiredSchema(feature) === 'Present');
  return Object.fromEntries(wanted.map(([name, { selector }]) => [name, selector]));
}

/** Reads what was required of them; what was not is unknown. */
export function readStack(request: ComposeRequest, required: Readonly<Record<string, ResourceSelector>>): StackDetails {
  const objectOf = (name: string) => {
    const read = Object.hasOwn(required, name) ? request.required(name) : undefined;
    return read?.state === 'Present' ? read.objects[0] : undefined;
  };
  const images = featureNames.flatMap((feature): [FeatureName, string][] => {
    const [first] = readList(objectOf(controllerName(feature)), ['spec', 'template', 'spec', 'containers']);
    const image = readString(first, ['image']);
    return image === undefined ? [] : [[feature, image]];
  });
  const classNames = Object.values(drivers).filter((driver) => Object.hasOwn(required, deviceClassName(driver)));
  return {
    envoyGateway: parseText(readString(objectOf(configName), ['data', 'envoy-gateway.yaml'])),
    images: new Map(images),
    ...(classNames.length === 0
      ? {}
      : { deviceClasses: classNames.filter((driver) => objectOf(deviceClassName(driver)) !== undefined) }),
  };
}

/** The value of a text in YAML; undefined where there is none. */
function parseText(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parse(text);
  } catch {
    return undefined;
  }
}
