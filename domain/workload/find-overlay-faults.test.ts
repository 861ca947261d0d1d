import { describe, expect, test } from 'vitest';
import { findOverlayFaults } from './find-overlay-faults.ts';
import { engineFields, otherFields, podFields } from './overlay-fields.ts';

const at = 'spec.pod.overlay.spec';
const inPod = (spec: unknown) => findOverlayFaults({ overlay: { spec } });
const inEngine = (fields: object) => inPod({ containers: [{ name: 'engine', ...fields }] });
const beside = (fields: object) => inPod({ containers: [{ name: 'proxy', image: 'proxy:1', ...fields }] });

test('findOverlayFaults finds nothing in an overlay that adds what is free', () => {
  expect(findOverlayFaults({})).toEqual([]);
  const overlay = {
    metadata: { labels: { team: 'chat' }, annotations: { 'prometheus.io/scrape': 'false' } },
    spec: {
      priorityClassName: 'serving',
      tolerations: [{ key: 'team', operator: 'Exists' }],
      affinity: { podAntiAffinity: {} },
      volumes: [{ name: 'certs', configMap: { name: 'certs' } }],
      containers: [
        { name: 'engine', volumeMounts: [{ name: 'certs', mountPath: '/certs' }] },
        { name: 'proxy', image: 'proxy:1', env: [{ name: 'A', value: 'b' }], resources: {} },
      ],
      initContainers: [{ name: 'wait', image: 'busybox:1', command: ['true'] }],
    },
  };
  expect(findOverlayFaults({ overlay })).toEqual([]);
});

const rows: readonly [string, readonly string[], string][] = [
  [
    'the image of the engine',
    inEngine({ image: 'other:1' }),
    `${at}.containers[0].image is owned by Modelberth: use spec.engine.image`,
  ],
  [
    'the nodes of a pod',
    inPod({ nodeSelector: { zone: 'a' } }),
    `${at}.nodeSelector is owned by Modelberth: the ladder chooses the nodes: use spec.placement`,
  ],
  [
    'the nodes by affinity',
    inPod({ affinity: { nodeAffinity: {} } }),
    `${at}.affinity.nodeAffinity is owned by Modelberth: the ladder chooses the nodes: use spec.placement`,
  ],
  [
    'the network of the node',
    inPod({ hostNetwork: true }),
    `${at}.hostNetwork is owned by Modelberth: a pod may not reach past itself onto the node`,
  ],
  [
    'a misspelt field',
    inPod({ priorityclassname: 'a' }),
    `${at}.priorityclassname is no field there; did you mean "priorityClassName"?`,
  ],
  ['a word that is no field', inPod({ gpu: 1 }), `${at}.gpu is no field there`],
  ['a word that every object has', inPod({ toString: 1 }), `${at}.toString is no field there`],
  ['a list in place of a pod', inPod([]), `${at} is no object: write fields of a pod in it`],
  [
    'a field beside metadata and spec',
    findOverlayFaults({ overlay: { status: {} } }),
    'spec.pod.overlay.status is no field of a pod template: it has metadata and spec',
  ],
  [
    'a label of ours',
    findOverlayFaults({ overlay: { metadata: { labels: { 'modelberth.dev/replica': 'x' } } } }),
    'spec.pod.overlay.metadata.labels has "modelberth.dev/replica", by which Modelberth finds its pods: take another key',
  ],
  [
    'the name of the pod',
    findOverlayFaults({ overlay: { metadata: { name: 'x' } } }),
    'spec.pod.overlay.metadata.name cannot be set: only labels and annotations can',
  ],
  [
    'a container without a name',
    inPod({ containers: [{ image: 'a:1' }] }),
    `${at}.containers[0].name is missing: containers are merged by name, that of the engine is "engine"`,
  ],
  [
    'a container without an image',
    inPod({ initContainers: [{ name: 'wait' }] }),
    `${at}.initContainers[0].image is missing: "wait" is no container of Modelberth, so it needs one`,
  ],
  [
    'an init container of the name of the engine',
    inPod({ initContainers: [{ name: 'engine', image: 'a:1' }] }),
    `${at}.initContainers[0].name is "engine", which is the container that serves: take another name`,
  ],
  [
    'a privileged container',
    beside({ securityContext: { privileged: true } }),
    `${at}.containers[0].securityContext.privileged is refused: no container of a replica gains privileges`,
  ],
  [
    'an added capability',
    beside({ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }),
    `${at}.containers[0].securityContext.capabilities.add is refused: no container of a replica gains privileges`,
  ],
  [
    'a mount over the weights',
    inEngine({ volumeMounts: [{ name: 'mine', mountPath: '/weights/lora' }] }),
    `${at}.containers[0].volumeMounts[0].mountPath is "/weights/lora", which Modelberth mounts: take another path`,
  ],
  [
    'a volume of ours',
    inPod({ volumes: [{ name: 'shm', emptyDir: {} }] }),
    `${at}.volumes[0].name is "shm", which is a volume of Modelberth: take another name`,
  ],
  [
    'a volume that the claim lists too',
    findOverlayFaults({
      volumes: [{ name: 'mine', type: 'EmptyDir', mountPath: '/mine' }],
      overlay: { spec: { volumes: [{ name: 'mine', emptyDir: {} }] } },
    }),
    `${at}.volumes[0].name is "mine", which spec.pod.volumes has too: keep one of them`,
  ],
  ['a volume without a name', inPod({ volumes: [{}] }), `${at}.volumes[0].name is missing: volumes are merged by name`],
  [
    'a directory of the node',
    inPod({ volumes: [{ name: 'node', hostPath: { path: '/' } }] }),
    `${at}.volumes[0].hostPath is refused: a pod may not reach past itself onto the node; weights come from a directory of the node by spec.model.weights`,
  ],
];
test.each(rows)('S6 findOverlayFaults names %s', (_name, found, expected) => {
  expect(found).toEqual([expected]);
});

describe('the tables of fields', () => {
  test.each([
    ['a pod', podFields],
    ['the engine', engineFields],
    ['another container', otherFields],
  ])('say each field of %s once', (_name, { free, owned }) => {
    expect([...free, ...Object.keys(owned)].length).toBe(new Set([...free, ...Object.keys(owned)]).size);
    expect(free.length).toBeGreaterThan(5);
  });
});
