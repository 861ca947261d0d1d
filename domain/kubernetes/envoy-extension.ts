/**
 * Whether Envoy Gateway calls the extension that AI Gateway is. Without it nothing fails and no request finds its model
 * (manifests/envoy-gateway-values.yaml of AI Gateway 1.0.0 and its issue 2560, read 2026-12-02).
 */
import { isRecord, readList, readPath, readString } from './object.ts';

export interface ExtensionState {
  readonly state: 'Installed' | 'Unsuitable' | 'Unknown';
  readonly found: string;
  readonly fix?: string;
}

const hookNames = ['Translation', 'Cluster', 'Route'];
const translated = ['listener', 'route', 'cluster', 'secret'];

/** Judges the configuration of Envoy Gateway: the parsed `envoy-gateway.yaml` of its ConfigMap, or undefined. */
export function judgeExtension(config: unknown): ExtensionState {
  if (!isRecord(config))
    return { state: 'Unknown', found: 'the configuration of Envoy Gateway was not found or cannot be read' };
  const lacks = listLacking(config);
  if (lacks.length === 0) return { state: 'Installed', found: 'Envoy Gateway calls its extension' };
  return {
    state: 'Unsuitable',
    found: `the configuration of Envoy Gateway lacks ${lacks.slice(0, 5).join(', ')}`,
    fix: 'install Envoy Gateway with the values that Envoy AI Gateway ships',
  };
}

function listLacking(config: unknown): readonly string[] {
  const manager = readPath(config, ['extensionManager']);
  const hooks = readPath(manager, ['hooks', 'xdsTranslator']);
  const post = readList(hooks, ['post']);
  const lacks = [
    ...hookNames.filter((hook) => !post.includes(hook)).map((hook) => `extensionManager.hooks: post ${hook}`),
    ...translated
      .filter((resource) => readPath(hooks, ['translation', resource, 'includeAll']) !== true)
      .map((resource) => `extensionManager.hooks: translation.${resource}.includeAll`),
  ];
  return [
    ...(readPath(config, ['extensionApis', 'enableBackend']) === true ? [] : ['extensionApis.enableBackend']),
    ...(readString(manager, ['service', 'fqdn', 'hostname']) === undefined ? ['extensionManager.service'] : []),
    ...lacks,
  ];
}
