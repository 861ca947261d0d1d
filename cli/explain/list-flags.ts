import { explainArguments, listArguments } from '../../domain/engine/list-arguments.ts';
import type { ExplainedFlag } from '../../domain/fit/advice/explain-flags.ts';
import { parseFlags } from '../../domain/fit/author-settings.ts';
import { type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import { type JudgedShape, judgedShape } from './explain-memory.ts';
import type { DeploymentReading } from './read-deployment.ts';

export interface ListedFlags {
  /** The replica whose rendered engine has them; unset while none is rendered, so that they are a forecast. */
  readonly renderedFor?: string;
  readonly flags: readonly ExplainedFlag[];
}

/** The command line of the engine, flag by flag: as rendered for a replica, else as it will be for the chosen shape. */
export function listFlags(reading: DeploymentReading): ListedFlags {
  const judged = judgedShape(reading);
  const question = judged === undefined ? undefined : questionOf(reading, judged);
  if (question === undefined) return { flags: [] };
  const rendered = reading.replicas.find((replica) => renderedArguments(replica).length > 0);
  const words = rendered === undefined ? listArguments(question) : renderedArguments(rendered);
  const explained = new Map(explainArguments(question).map((flag) => [flag.flag, flag]));
  const flags = [...parseFlags(words)].map(([flag, value]) => describeFlag({ flag, value }, explained));
  const replica = rendered?.metadata.name;
  return { ...(replica === undefined ? {} : { renderedFor: replica }), flags };
}

function renderedArguments(replica: KubernetesObject): readonly string[] {
  return readList(replica, ['status', 'engine', 'args']).filter((word) => typeof word === 'string');
}

function questionOf({ xr, spec }: DeploymentReading, { verdict, shape, hardwareClass }: JudgedShape) {
  if (verdict.verdict === 'Unsupported') return undefined;
  const servedName = `${xr.metadata.namespace ?? ''}/${xr.metadata.name ?? ''}`;
  const { model, load, engine } = spec;
  const { type, args: authorArgs } = engine;
  const acceleratorName = hardwareClass.accelerator.name;
  return { type, model, load, sizing: verdict.computed, shape, acceleratorName, servedName, authorArgs };
}

/** A flag as it is on the command line, which may be of an earlier version, with the reason that this version has. */
function describeFlag(
  { flag, value }: { readonly flag: string; readonly value: string },
  explained: ReadonlyMap<string, ExplainedFlag>,
): ExplainedFlag {
  const known = explained.get(flag);
  if (known !== undefined) return { ...known, value };
  return { flag, value, setBy: 'computed', reason: 'set by this version' };
}
