/** A Go program that the tests run; its version stands in `tools/<folder>/go.mod` only. */
export interface Tool {
  readonly folder: string;
  readonly binary: string;
  readonly module: string;
  readonly package: string;
  /** Variables of the program that say its version. */
  readonly versionVariables: readonly string[];
  /** Whether it is built without inlining, which takes a third less time and runs well enough for a test. */
  readonly isBuiltQuickly?: boolean;
  /** Files of the module that lie beside the binary. */
  readonly files?: readonly string[];
}

/** The variable of both Crossplane programs that `--version` prints. */
const crossplaneVersion = 'github.com/crossplane/crossplane-runtime/v2/pkg/version.version';

export const core: Tool = {
  folder: 'core',
  binary: 'crossplane-core',
  module: 'github.com/crossplane/crossplane/v2',
  package: 'github.com/crossplane/crossplane/v2/cmd/crossplane',
  versionVariables: [crossplaneVersion],
};

export const cli: Tool = {
  folder: 'cli',
  binary: 'crossplane',
  module: 'github.com/crossplane/cli/v2',
  package: 'github.com/crossplane/cli/v2/cmd/crossplane',
  versionVariables: [crossplaneVersion],
};

/** Our own program over the API server's code: what no client can judge, the cost of CEL rules and updates. */
export const celcost: Tool = {
  folder: 'celcost',
  binary: 'celcost',
  module: 'k8s.io/apiextensions-apiserver',
  package: '.',
  versionVariables: [],
};

/** etcd, the API server, the controller manager and the scheduler, chosen by the first argument. */
export const kubernetes: Tool = {
  folder: 'kubernetes',
  binary: 'kubernetes',
  module: 'k8s.io/kubernetes',
  package: '.',
  versionVariables: ['k8s.io/component-base/version.gitVersion', 'k8s.io/client-go/pkg/version.gitVersion'],
  isBuiltQuickly: true,
};

/** The controller of LeaderWorkerSet with its webhooks, which no object of that kind goes well without. */
export const leaderWorkerSet: Tool = {
  folder: 'lws',
  binary: 'lws-manager',
  module: 'sigs.k8s.io/lws',
  package: 'sigs.k8s.io/lws/cmd',
  versionVariables: [],
  isBuiltQuickly: true,
  files: ['config/webhook/manifests.yaml'],
};

/** Envoy Gateway, its translator and the AI gateway: one module, so that all three are linked with one Envoy Gateway. */
const gatewayTool = { folder: 'gateway', versionVariables: [], isBuiltQuickly: true } as const;

export const envoyGateway: Tool = {
  ...gatewayTool,
  binary: 'envoy-gateway',
  module: 'github.com/envoyproxy/gateway',
  package: 'github.com/envoyproxy/gateway/cmd/envoy-gateway',
};

export const egctl: Tool = {
  ...gatewayTool,
  binary: 'egctl',
  module: 'github.com/envoyproxy/gateway',
  package: 'github.com/envoyproxy/gateway/cmd/egctl',
};

export const aigw: Tool = {
  ...gatewayTool,
  binary: 'aigw',
  module: 'github.com/envoyproxy/ai-gateway',
  package: 'github.com/envoyproxy/ai-gateway/cmd/aigw',
};

/** The CRD files of one module: every kind that a Composition may emit, in its oldest supported version (S8). */
export interface CrdSource {
  readonly module: string;
  readonly folder: string;
  readonly files: readonly string[];
}

export const crdSources: readonly CrdSource[] = [
  {
    module: 'github.com/crossplane/crossplane/v2',
    folder: 'cluster/crds',
    files: [
      'apiextensions.crossplane.io_compositeresourcedefinitions.yaml',
      'apiextensions.crossplane.io_compositions.yaml',
      'pkg.crossplane.io_configurations.yaml',
      'pkg.crossplane.io_deploymentruntimeconfigs.yaml',
      'pkg.crossplane.io_functions.yaml',
      'pkg.crossplane.io_imageconfigs.yaml',
      'protection.crossplane.io_clusterusages.yaml',
      'protection.crossplane.io_usages.yaml',
    ],
  },
  {
    module: 'github.com/upbound/provider-aws/v2',
    folder: 'package/crds',
    files: ['eks.aws.m.upbound.io_nodegroups.yaml', 'ec2.aws.m.upbound.io_launchtemplates.yaml'],
  },
  {
    module: 'sigs.k8s.io/gateway-api',
    folder: 'config/crd/standard',
    files: [
      'gateway.networking.k8s.io_gatewayclasses.yaml',
      'gateway.networking.k8s.io_gateways.yaml',
      'gateway.networking.k8s.io_httproutes.yaml',
      'gateway.networking.k8s.io_referencegrants.yaml',
    ],
  },
  {
    module: 'github.com/envoyproxy/gateway',
    folder: 'charts/gateway-helm/charts/crds/crds/generated',
    files: [
      'gateway.envoyproxy.io_backends.yaml',
      'gateway.envoyproxy.io_backendtrafficpolicies.yaml',
      'gateway.envoyproxy.io_clienttrafficpolicies.yaml',
      'gateway.envoyproxy.io_envoyproxies.yaml',
      'gateway.envoyproxy.io_securitypolicies.yaml',
    ],
  },
  {
    module: 'github.com/envoyproxy/ai-gateway',
    folder: 'manifests/charts/ai-gateway-crds-helm/templates',
    files: [
      'aigateway.envoyproxy.io_aigatewayroutes.yaml',
      'aigateway.envoyproxy.io_aiservicebackends.yaml',
      'aigateway.envoyproxy.io_backendsecuritypolicies.yaml',
      'aigateway.envoyproxy.io_gatewayconfigs.yaml',
    ],
  },
  {
    module: 'github.com/cert-manager/cert-manager',
    folder: 'deploy/crds',
    files: ['crd-certificates.yaml', 'crd-clusterissuers.yaml', 'crd-issuers.yaml'],
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator',
    folder: 'example/prometheus-operator-crd',
    files: ['monitoring.coreos.com_podmonitors.yaml'],
  },
  {
    module: 'github.com/crossplane-contrib/provider-kubernetes',
    folder: 'package/crds',
    files: ['kubernetes.m.crossplane.io_objects.yaml', 'kubernetes.m.crossplane.io_observedobjectcollections.yaml'],
  },
  {
    module: 'sigs.k8s.io/lws',
    folder: 'config/crd/bases',
    files: ['leaderworkerset.x-k8s.io_leaderworkersets.yaml'],
  },
];
