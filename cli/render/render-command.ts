import { Command, Option } from 'commander';
import { stringify } from 'yaml';
import { type ClaimFlags, logWidth, readClaimFlags, withClaimFlags } from '../claim-flags.ts';
import type { WorldResult } from '../crossplane/reconcile-world.ts';
import type { RenderOutput } from '../crossplane/render-output.ts';
import { type ClaimReport, describeClaims } from './describe-claims.ts';
import { printReports } from './print-table.ts';
import { redactSecrets } from './redact-secrets.ts';
import { renderClaims } from './render-claims.ts';

interface RenderFlags extends ClaimFlags {
  readonly output: 'table' | 'yaml' | 'json';
}

const examples = `
Examples:
  modelberth render -f examples/hello
  modelberth render -f examples/hello --observed live/ --required nodes.yaml --now 2026-12-01T10:04:00Z
  modelberth render -f examples/hello -o yaml

Exit codes: 0 done, 1 a claim is refused, something it names is missing, or eight rounds did not settle it,
2 bad usage or unreadable input`;

/** `modelberth render`: claims to their resources, through the real functions, without a cluster. */
export function renderCommand(write: (text: string) => void, setExitCode: (code: number) => void): Command {
  return withClaimFlags(new Command('render'))
    .description('Turn claims into their resources, through the four functions over gRPC, without a cluster')
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['table', 'yaml', 'json']).default('table'))
    .addHelpText('after', examples)
    .action(async (flags: RenderFlags) => {
      const files = readClaimFlags(flags);
      const { now } = files;
      const result = await renderClaims(files);
      const reports = describeClaims(
        result.outputs.map((output) => output.composite),
        now,
      );
      write(print(flags.output, result, reports));
      setExitCode(!result.settled || reports.some((report) => report.refused) ? 1 : 0);
    });
}

function print(format: RenderFlags['output'], result: WorldResult, reports: readonly ClaimReport[]): string {
  if (format === 'table') return `${printReports(reports, process.stdout.columns ?? logWidth)}${footer(result)}`;
  const outputs = result.outputs.map(redactOutput);
  if (format === 'json')
    return `${JSON.stringify({ settled: result.settled, rounds: result.rounds, outputs }, null, 2)}\n`;
  const documents = outputs.flatMap((output) => [
    output.composite,
    ...output.composed.filter((object) => !isXr(object, outputs)),
  ]);
  return documents
    .map((document) => `---\n${stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })}`)
    .join('');
}

/** A composed XR is printed once, as the XR with its status. */
function isXr(object: RenderOutput['composite'], outputs: readonly RenderOutput[]): boolean {
  return outputs.some(
    ({ composite }) => composite.kind === object.kind && composite.metadata.name === object.metadata.name,
  );
}

function redactOutput(output: RenderOutput): RenderOutput {
  return { ...output, composed: output.composed.map(redactSecrets), deleted: output.deleted.map(redactSecrets) };
}

function footer({ outputs, rounds, settled }: WorldResult): string {
  const end = settled ? `Settled after ${rounds} rounds` : `Not settled after ${rounds} rounds`;
  const isRemote = outputs.some(({ composed }) => composed.some(({ kind }) => kind === 'ObservedObjectCollection'));
  const sight = isRemote ? ', and the Remote cluster to be in sight' : '';
  return `\n${end}; every optional part of the cluster is assumed to be installed${sight}\n`;
}
