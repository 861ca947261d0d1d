import { expect, test } from 'vitest';
import type { KubernetesObject } from './object.ts';
import { restoreRendered } from './owned-fields.ts';

/**
 * A Deployment as the API server tracks it: applied by core's manager, then edited by a person who added a sidecar, a
 * variable, a label, an image policy and a size limit. Made with the field manager of k8s.io/apimachinery v0.35.3 and
 * the schemas of client-go v0.35.3, 2026-12-02; shortened by entries that repeat what others show.
 */
const edited: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'llama-0',
    namespace: 'chat',
    labels: { 'crossplane.io/composite': 'llama-0', 'modelberth.dev/revision': '5eed', team: 'x' },
    annotations: {
      'crossplane.io/composition-resource-name': 'workload-engine',
      'modelberth.dev/rung': 'l4/1x1-tp1-pp1/OnDemand',
    },
    ownerReferences: [{ apiVersion: 'modelberth.dev/v1alpha1', kind: 'ModelReplica', name: 'llama-0', uid: 'u-1' }],
    managedFields: [
      {
        manager: 'apiextensions.crossplane.io/composed/0f1e',
        operation: 'Apply',
        fieldsV1: {
          'f:metadata': {
            'f:annotations': { 'f:crossplane.io/composition-resource-name': {}, 'f:modelberth.dev/rung': {} },
            'f:labels': { 'f:crossplane.io/composite': {}, 'f:modelberth.dev/revision': {} },
            'f:ownerReferences': { 'k:{"uid":"u-1"}': {} },
          },
          'f:spec': {
            'f:replicas': {},
            'f:selector': {},
            'f:strategy': { 'f:type': {} },
            'f:template': {
              'f:metadata': { 'f:labels': { 'f:app': {} } },
              'f:spec': {
                'f:affinity': { 'f:nodeAffinity': { 'f:requiredDuringSchedulingIgnoredDuringExecution': {} } },
                'f:containers': {
                  'k:{"name":"engine"}': {
                    '.': {},
                    'f:args': {},
                    'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
                    'f:image': {},
                    'f:name': {},
                    'f:ports': {
                      'k:{"containerPort":8000,"protocol":"TCP"}': {
                        '.': {},
                        'f:containerPort': {},
                        'f:name': {},
                        'f:protocol': {},
                      },
                    },
                    'f:resources': {
                      'f:claims': { 'k:{"name":"accelerators"}': { '.': {}, 'f:name': {} } },
                      'f:limits': { 'f:memory': {} },
                    },
                    'f:volumeMounts': { 'k:{"mountPath":"/dev/shm"}': { '.': {}, 'f:mountPath': {}, 'f:name': {} } },
                  },
                },
                'f:tolerations': {},
                'f:volumes': {
                  'k:{"name":"shm"}': { '.': {}, 'f:emptyDir': { 'f:medium': {} }, 'f:name': {} },
                },
              },
            },
          },
        },
      },
      {
        manager: 'kubectl-edit',
        operation: 'Update',
        fieldsV1: {
          'f:metadata': {
            'f:finalizers': { '.': {}, 'v:"example.com/a\\u003cb"': {} },
            'f:labels': { 'f:team': {} },
          },
          'f:spec': {
            'f:template': {
              'f:spec': {
                'f:containers': {
                  'k:{"name":"engine"}': {
                    'f:env': { 'k:{"name":"B"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
                    'f:imagePullPolicy': {},
                  },
                  'k:{"name":"sidecar"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} },
                },
                'f:volumes': { 'k:{"name":"shm"}': { 'f:emptyDir': { 'f:sizeLimit': {} } } },
              },
            },
          },
          'f:status': {},
        },
      },
    ],
  },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'llama' } },
    template: {
      metadata: { labels: { app: 'llama' } },
      spec: {
        volumes: [{ name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
        containers: [
          {
            name: 'engine',
            image: 'vllm',
            args: ['model', '--a'],
            ports: [{ name: 'http', containerPort: 8000, protocol: 'TCP' }],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            resources: { limits: { memory: '1Gi' }, claims: [{ name: 'accelerators' }] },
            volumeMounts: [{ name: 'shm', mountPath: '/dev/shm' }],
            terminationMessagePath: '/dev/termination-log',
            imagePullPolicy: 'Always',
          },
          { name: 'sidecar', image: 'x', resources: {} },
        ],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
            },
          },
        },
        tolerations: [{ key: 'a', operator: 'Exists' }],
        restartPolicy: 'Always',
      },
    },
    strategy: { type: 'Recreate' },
    revisionHistoryLimit: 10,
  },
  status: { readyReplicas: 1 },
};

test('S1 restoreRendered gives back what core applied when a person edited a real Deployment', () => {
  expect(restoreRendered(edited)).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'llama-0',
      namespace: 'chat',
      labels: { 'modelberth.dev/revision': '5eed' },
      annotations: { 'modelberth.dev/rung': 'l4/1x1-tp1-pp1/OnDemand' },
    },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'llama' } },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels: { app: 'llama' } },
        spec: {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
              },
            },
          },
          containers: [
            {
              name: 'engine',
              image: 'vllm',
              args: ['model', '--a'],
              env: [{ name: 'A', value: '1' }],
              ports: [{ name: 'http', containerPort: 8000, protocol: 'TCP' }],
              resources: { limits: { memory: '1Gi' }, claims: [{ name: 'accelerators' }] },
              volumeMounts: [{ name: 'shm', mountPath: '/dev/shm' }],
            },
          ],
          tolerations: [{ key: 'a', operator: 'Exists' }],
          volumes: [{ name: 'shm', emptyDir: { medium: 'Memory' } }],
        },
      },
    },
  });
});
