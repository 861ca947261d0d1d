import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isKubernetesObject, type KubernetesObject } from '../../../domain/kubernetes/object.ts';
import { requiredVersion, runGo } from '../../../scripts/go-module.ts';
import { core } from '../../../scripts/tools.ts';

/** The folder of Crossplane's own sources in the version that is tested: its CRDs, its chart, its webhook. */
export function coreFolder(): string {
  const module = `${core.module}@${requiredVersion(core.folder, core.module)}`;
  return JSON.parse(runGo(core.folder, ['mod', 'download', '-json', module])).Dir;
}

/** Service accounts, roles and bindings of Crossplane's chart: `helm template crossplane` of these files, by hand. */
export function readChartRights(folder: string): readonly KubernetesObject[] {
  const names = ['serviceaccount', 'clusterrole', 'clusterrolebinding'];
  const files = [...names, ...names.map((name) => `rbac-manager-${name}`), 'rbac-manager-allowed-provider-permissions'];
  return files.flatMap((file) => readTemplate(join(folder, 'cluster/charts/crossplane/templates', `${file}.yaml`)));
}

/** A template with its values filled in as the chart has them, without the lines that are template alone. */
function readTemplate(path: string): readonly KubernetesObject[] {
  const filled = readFileSync(path, 'utf8')
    .replaceAll('{{ template "crossplane.name" . }}', 'crossplane')
    .replaceAll('{{ .Release.Namespace }}', 'crossplane-system');
  const lines = filled.split('\n').filter((line) => !line.includes('{{'));
  return parseAllDocuments(lines.join('\n'))
    .map((document): unknown => document.toJS())
    .filter(isKubernetesObject);
}
