import { expect, test } from 'vitest';
import { isRecord, readList, readPath } from '../kubernetes/object.ts';
import {
  renderNetworkPolicy,
  renderPodDisruptionBudget,
  renderPodMonitor,
  renderService,
  type SurroundingsQuestion,
} from './surroundings.ts';

const selector = { 'modelberth.dev/replica': 'chat-llama-0' };
const labels = { 'app.kubernetes.io/managed-by': 'modelberth', ...selector };
const answering = { ...selector, 'modelberth.dev/role': 'leader' };
const namespaces = { gateway: 'envoy-gateway-system', monitoring: 'monitoring' };
const question: SurroundingsQuestion = { replica: 'llama-0', labels, selector, namespaces, isDetached: false };
const metadata = { name: 'llama-0', labels };

test('renderService is headless and names the port by which the engine serves', () => {
  expect(renderService(question)).toEqual({
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: {
      clusterIP: 'None',
      selector: answering,
      ports: [{ name: 'http', port: 8000, targetPort: 'http', protocol: 'TCP' }],
    },
  });
});

test('renderService selects no pod of the replica when it is detached, and changes nothing else', () => {
  const attached = renderService(question);
  const detached = renderService({ ...question, isDetached: true });
  const wanted = readPath(detached, ['spec', 'selector']);
  const pod: Readonly<Record<string, string>> = { ...labels, 'modelberth.dev/revision': '5eed0001' };
  expect(isRecord(wanted) && Object.entries(wanted).every(([key, value]) => pod[key] === value)).toBe(false);
  expect({ ...detached, spec: { ...Object(detached.spec), selector: answering } }).toEqual(attached);
});

const names: readonly [string, string][] = [
  ['it begins with a letter', 'llama-0'],
  ['it begins with a digit, as a deployment may', '4bit-llama-0'],
];

test.each(names)('renderService has a name that the API server takes (RFC 1035) when %s', (_name, replica) => {
  // A DNS-1035 label begins with a letter; Kubernetes 1.34 relaxes that behind an alpha gate only.
  expect(renderService({ ...question, replica }).metadata.name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
});

function inNamespace(name: string): Record<string, unknown> {
  return { matchLabels: { 'kubernetes.io/metadata.name': name } };
}

test('L31 renderNetworkPolicy admits the gateway, the scraper and pods of the replica, and nobody else', () => {
  const proxy = { 'app.kubernetes.io/component': 'proxy', 'app.kubernetes.io/managed-by': 'envoy-gateway' };
  expect(renderNetworkPolicy(question)).toEqual({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata,
    spec: {
      podSelector: { matchLabels: selector },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [
            { namespaceSelector: inNamespace('envoy-gateway-system'), podSelector: { matchLabels: proxy } },
            {
              namespaceSelector: inNamespace('monitoring'),
              podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } },
            },
          ],
          ports: [{ port: 'http', protocol: 'TCP' }],
        },
        { from: [{ podSelector: { matchLabels: selector } }] },
      ],
    },
  });
});

test('L31 no rule of the network policy is without a source, which would admit everybody', () => {
  const rules = readList(renderNetworkPolicy(question), ['spec', 'ingress']);
  const sources = rules.map((rule) => readList(rule, ['from']));
  expect(sources.length).toBeGreaterThan(0);
  expect(
    sources.filter((from) => from.length === 0 || from.some((peer) => !isRecord(readPath(peer, ['podSelector'])))),
  ).toEqual([]);
});

test('L37 renderPodMonitor scrapes the named port with labels that join model, replica and class', () => {
  expect(renderPodMonitor(question)).toEqual({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata,
    spec: {
      selector: { matchLabels: selector },
      podTargetLabels: [
        'modelberth.dev/class',
        'modelberth.dev/deployment',
        'modelberth.dev/replica',
        'modelberth.dev/revision',
      ],
      podMetricsEndpoints: [{ port: 'http', path: '/metrics', interval: '15s' }],
    },
  });
});

test('renderPodDisruptionBudget lets one pod go and never holds a broken one', () => {
  expect(renderPodDisruptionBudget(question)).toEqual({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels: selector } },
  });
});

test('S2 everything around a replica selects the same pods, whatever else its labels say', () => {
  const other = { ...question, labels: { ...labels, team: 'search' } };
  const selectors = [
    readPath(renderService(other), ['spec', 'selector']),
    readPath(renderNetworkPolicy(other), ['spec', 'podSelector', 'matchLabels']),
    readPath(renderPodMonitor(other), ['spec', 'selector', 'matchLabels']),
    readPath(renderPodDisruptionBudget(other), ['spec', 'selector', 'matchLabels']),
  ];
  expect(selectors).toEqual([answering, selector, selector, selector]);
});
