import type { Definition } from '../apis/definition.ts';
import { structuralSchema } from '../apis/structural-schema.ts';
import { group } from '../domain/kubernetes/label.ts';
import { isRecord, readList, readString } from '../domain/kubernetes/object.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Field {
  readonly path: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** The reference page of one kind, as Markdown. */
export function apiPage(definition: Definition): string {
  const spec = structuralSchema(definition.spec);
  const status = structuralSchema(definition.status);
  const sections = [
    `# ${definition.kind}`,
    definition.description,
    facts(definition),
    `## spec\n\n${String(spec.description)}\n\n${fieldTable(spec, 'spec')}`,
    rules(spec),
    `## status\n\n${String(status.description)} Conditions: [conditions and reasons](../reasons/README.md).\n\n${statusTable(status)}`,
    columns(definition),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function facts({ kind, plural, shortNames, scope, scale }: Definition): string {
  const lines = [
    `- \`apiVersion: ${group}/v1alpha1\`, \`kind: ${kind}\``,
    `- ${scope === 'Cluster' ? 'Belongs to the whole cluster' : 'Lives in a namespace'}; \`kubectl get ${plural}\`, in short \`kubectl get ${shortNames.join('`, `')}\``,
    ...(scale === undefined ? [] : [`- \`kubectl scale\` sets \`${scale.specReplicasPath.slice(1)}\``]),
    `- [Claims that are accepted and refused, with the messages](../../test/claims/rows/${plural}.yaml)`,
  ];
  return lines.join('\n');
}

/** Every field below a schema, a container before what is in it. */
function listFields(schema: Schema, path: string): readonly Field[] {
  const required = readList(schema, ['required']);
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  return properties.flatMap(([name, child]) => {
    if (!isRecord(child)) return [];
    const here = `${path}.${name}`;
    const inner = isRecord(child.items) ? listFields(child.items, `${here}[]`) : listFields(child, here);
    return [{ path: here, schema: child, isRequired: required.includes(name) }, ...inner];
  });
}

function fieldTable(schema: Schema, path: string): string {
  const rows = listFields(schema, path).map(
    ({ path: field, schema: found, isRequired }) =>
      `| \`${field}\` | ${describeType(found)} | ${preset(found, isRequired)} | ${cell(describe(found))} |`,
  );
  return ['| field | type | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function statusTable(schema: Schema): string {
  const rows = listFields(schema, 'status').map(
    ({ path, schema: found }) => `| \`${path}\` | ${describeType(found)} | ${cell(describe(found))} |`,
  );
  return ['| field | type | meaning |', '|---|---|---|', ...rows].join('\n');
}

function describe(schema: Schema): string {
  const limits = limitsOf(schema);
  const items = isRecord(schema.items) && schema.items.properties === undefined ? limitsOf(schema.items) : [];
  const each = items.length === 0 ? [] : [`each ${items.join(', ')}`];
  const bounds = [...limits, ...each];
  return `${String(schema.description)}${bounds.length === 0 ? '' : ` Allowed: ${bounds.join('; ')}.`}`;
}

/** What a value must be, in words; a bound that is only the end of int32 says nothing. */
function limitsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  const least = typeof minimum === 'number' && minimum > -2_147_483_648 ? minimum : undefined;
  const most = typeof maximum === 'number' && maximum < 2_147_483_647 ? maximum : undefined;
  const values = readList(schema, ['enum']).map((value) => `\`${String(value)}\``);
  return [
    ...(values.length === 0 ? [] : [values.join(', ')]),
    ...(exclusiveMinimum === true ? [`more than ${least ?? 0}`] : span(least, most, '')),
    ...(minLength === 1 && maxLength === undefined ? ['not empty'] : span(minLength, maxLength, ' characters')),
    ...span(minItems, maxItems, ' entries'),
    ...(format === 'date' ? ['a day, `YYYY-MM-DD`'] : []),
    ...(typeof pattern === 'string' && format !== 'date' ? [`text like \`${pattern}\``] : []),
  ];
}

function span(least: unknown, most: unknown, unit: string): readonly string[] {
  if (least !== undefined && most !== undefined) return [`${String(least)} to ${String(most)}${unit}`];
  if (most !== undefined) return [`at most ${String(most)}${unit}`];
  return least === undefined ? [] : [`at least ${String(least)}${unit}`];
}

function describeType(schema: Schema): string {
  if (isRecord(schema.items)) return `list of ${describeType(schema.items)}`;
  if (isRecord(schema.additionalProperties)) return `map to ${describeType(schema.additionalProperties)}`;
  return readString(schema, ['type']) ?? '';
}

function preset(schema: Schema, isRequired: boolean): string {
  if (isRequired) return '**required**';
  if (!('default' in schema)) return '';
  const written = JSON.stringify(schema.default);
  return `\`${typeof schema.default === 'string' ? schema.default : written}\``;
}

/** Rules over several fields, by the field that they stand on. */
function rules(schema: Schema): string {
  const nodes = [{ path: 'spec', schema }, ...listFields(schema, 'spec')];
  const lines = nodes.flatMap(({ path, schema: found }) =>
    readList(found, ['x-kubernetes-validations']).map((rule) => {
      const isTransition = (readString(rule, ['rule']) ?? '').includes('oldSelf');
      return `- \`${path}\`${isTransition ? ', on a change' : ''}: ${readString(rule, ['message'])}`;
    }),
  );
  return lines.length === 0 ? '' : `### Refused with\n\n${lines.join('\n')}`;
}

function columns({ columns: printed, plural }: Definition): string {
  const rows = printed.map(({ name, jsonPath, description, priority = 0 }) => {
    return `| ${name} | \`${jsonPath.slice(1)}\` | ${cell(description)}${priority > 0 ? ' (with `-o wide`)' : ''} |`;
  });
  return [`## Columns of \`kubectl get ${plural}\``, '', '| column | from | says |', '|---|---|---|', ...rows].join(
    '\n',
  );
}

/** A text in a cell of a table: a bar would end it. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
