import { describe, expect, test } from 'vitest';
import { type FeatureName, featureNames } from './feature.ts';
import { listParts, type StackDetails, type StackPart, type StackQuestion, stackCondition } from './stack.ts';

const hooks = {
  translation: {
    listener: { includeAll: true },
    route: { includeAll: true },
    cluster: { includeAll: true },
    secret: { includeAll: true },
  },
  post: ['Translation', 'Cluster', 'Route'],
};
/** What the values of AI Gateway 1.0.0 make of the configuration of Envoy Gateway (manifests/envoy-gateway-values.yaml). */
const envoyGateway = {
  extensionApis: { enableEnvoyPatchPolicy: true, enableBackend: true },
  extensionManager: {
    hooks: { xdsTranslator: hooks },
    service: { fqdn: { hostname: 'ai-gateway-controller.envoy-ai-gateway-system.svc.cluster.local', port: 1063 } },
  },
};
const images = new Map<FeatureName, string>([
  ['EnvoyGateway', 'docker.io/envoyproxy/gateway:v1.9.0'],
  ['LeaderWorkerSet', 'registry.k8s.io/lws/lws:v0.8.0'],
]);
const details: StackDetails = { envoyGateway, images, deviceClasses: ['gpu.nvidia.com'] };

function question(absent: readonly FeatureName[] = [], other: Partial<StackQuestion> = {}): StackQuestion {
  const found = featureNames.map((name) => [name, !absent.includes(name)] as const);
  return { found, allocation: 'DRA', details, ...other };
}

function partOf(name: string, asked: StackQuestion): StackPart | undefined {
  return listParts(asked).find((part) => part.name === name);
}

function withImage(name: FeatureName, image: string): Partial<StackQuestion> {
  return { details: { ...details, images: new Map([...images, [name, image]]) } };
}

test('S3 listParts names every part once, sorted, and the driver beside the kinds', () => {
  const names = listParts(question()).map(({ name }) => name);
  expect(names).toEqual([...featureNames, 'DRADriver'].sort());
  expect(listParts(question()).filter(({ state }) => state !== 'Installed')).toEqual([]);
});

describe('stackCondition is', () => {
  const gatewayParts: readonly FeatureName[] = ['AIGateway', 'AWSLoadBalancerController', 'CertManager', 'GatewayAPI'];
  const plugin = { allocation: 'DevicePlugin' } as const;
  const rows: readonly [string, StackQuestion, string, RegExp][] = [
    ['True where everything is there', question(), 'True', /^Every part is installed$/],
    [
      'True where LeaderWorkerSet is missing, which only gangs need',
      question(['LeaderWorkerSet']),
      'True',
      /^Every part that is needed is installed; without LeaderWorkerSet, models that need several nodes are refused: install LeaderWorkerSet 0\.8 or newer/,
    ],
    [
      'True where what gateways, metrics and scaling need is missing',
      question([...gatewayParts, 'KEDA', 'PrometheusOperator']),
      'True',
      /without AIGateway, gateways get no address: install Envoy AI Gateway .*without KEDA, no signal scales a ModelDeployment: install KEDA/,
    ],
    [
      'True where LeaderWorkerSet is too old',
      question([], withImage('LeaderWorkerSet', 'registry.k8s.io/lws/lws:v0.7.0')),
      'True',
      /without LeaderWorkerSet, models that need several nodes are refused: version 0\.7\.0, too old; install LeaderWorkerSet 0\.8/,
    ],
    [
      'False where node groups cannot be made',
      question(['ProviderAWS', 'KEDA']),
      'False',
      /^Cannot use every part: ProviderAWS: install provider-aws-eks .*; without KEDA/,
    ],
    [
      'False where accelerators cannot be claimed',
      question(['DynamicResourceAllocation']),
      'False',
      /^Cannot use every part: DynamicResourceAllocation: install Kubernetes 1\.34/,
    ],
    [
      'True where they are not claimed, but asked of the device plugin',
      question(['DynamicResourceAllocation'], plugin),
      'True',
      /without DynamicResourceAllocation, nothing: accelerators come from the device plugin/,
    ],
    [
      'False where no driver has its DeviceClass',
      question([], { details: { ...details, deviceClasses: [] } }),
      'False',
      /^Cannot use every part: DRADriver: install the DRA driver of the accelerator, with its DeviceClass$/,
    ],
    [
      'False where Envoy Gateway does not call the extension that AI Gateway is, which no claim shows',
      question([], { details: { ...details, envoyGateway: {} } }),
      'False',
      /^Cannot use every part: AIGateway: the configuration of Envoy Gateway lacks extensionApis\.enableBackend, .*; install Envoy Gateway with the values that Envoy AI Gateway ships$/,
    ],
    [
      'True where it could not be seen how the parts are set up, and says so',
      question([], { details: { images: new Map() } }),
      'True',
      /^Every part is installed; not seen how it is set up: AIGateway, DRADriver$/,
    ],
  ];
  test.each(rows)('S6 %s', (_name, asked, expected, message) => {
    const { status, reason, message: said } = stackCondition(listParts(asked));
    expect(`${status} ${reason}`).toBe(expected === 'True' ? 'True Complete' : 'False Incomplete');
    expect(said).toMatch(message);
  });
});

const versions: readonly [string, FeatureName, string, string, string | undefined][] = [
  ['with patch', 'LeaderWorkerSet', 'registry.k8s.io/lws/lws:v0.8.0', 'Installed', '0.8.0'],
  ['of a mirror with a port', 'LeaderWorkerSet', 'mirror.example.com:5000/lws:v1.2.3', 'Installed', '1.2.3'],
  ['of a digest alone', 'LeaderWorkerSet', 'mirror.example.com:5000/lws@sha256:0011', 'Installed', undefined],
  ['of a tag and a digest', 'KEDA', 'ghcr.io/kedacore/keda:2.18.1@sha256:0011', 'Installed', '2.18.1'],
  ['that is older in its major', 'CertManager', 'cert-manager-controller:v0.16.0', 'Unsuitable', '0.16.0'],
  ['that is older in its minor', 'EnvoyGateway', 'envoyproxy/gateway:v1.8.3', 'Unsuitable', '1.8.3'],
  ['of a candidate', 'AIGateway', 'envoyproxy/ai-gateway-controller:v1.1.0-rc1', 'Installed', '1.1.0-rc1'],
  ['of a branch', 'AIGateway', 'envoyproxy/ai-gateway-controller:latest', 'Installed', undefined],
];
test.each(versions)('S5 the version of a part is read from an image %s', (_name, feature, image, state, version) => {
  const part = partOf(feature, question([], withImage(feature, image)));
  expect([part?.state, part?.version]).toEqual([state, version]);
});

const { extensionManager } = envoyGateway;
const lacking: readonly [string, unknown, string, string][] = [
  ['the Backend API', { ...envoyGateway, extensionApis: {} }, 'Unsuitable', 'extensionApis.enableBackend'],
  [
    'a hook',
    {
      ...envoyGateway,
      extensionManager: { ...extensionManager, hooks: { xdsTranslator: { ...hooks, post: ['Translation', 'Route'] } } },
    },
    'Unsuitable',
    'post Cluster',
  ],
  [
    'the resources of a hook',
    {
      ...envoyGateway,
      extensionManager: { ...extensionManager, hooks: { xdsTranslator: { ...hooks, translation: {} } } },
    },
    'Unsuitable',
    'translation.listener.includeAll',
  ],
  [
    'the service',
    { ...envoyGateway, extensionManager: { hooks: { xdsTranslator: hooks } } },
    'Unsuitable',
    'extensionManager.service',
  ],
  ['everything that could be read', 'text', 'Unknown', 'was not found or cannot be read'],
];
test.each(lacking)('L44 the configuration of Envoy Gateway lacks %s', (_name, config, state, found) => {
  expect(partOf('AIGateway', question([], { details: { ...details, envoyGateway: config } }))).toMatchObject({
    state,
    found: expect.stringContaining(found),
  });
});
