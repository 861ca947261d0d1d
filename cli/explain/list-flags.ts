import { listArguments } from '../../domain/engine/list-arguments.ts';
import { explainFlags } from '../../domain/fit/advice/explain-flags.ts';
import { parseFlags } from '../../domain/fit/author-settings.ts';
import { type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import { describeShape } from '../../domain/shape/shape.ts';
import { type JudgedShape, judgedShape } from './explain-memory.ts';
import type { DeploymentReading } from './read-deployment.ts';

/** One flag of the engine with its value and why it has it. */
export interface ListedFlag {
  readonly flag: string;
  readonly value: string;
  readonly setBy: 'computed' | 'author';
  readonly reason: string;
}

export interface ListedFlags {
  /** The replica whose rendered engine has them; unset while none is rendered, so that they are a forecast. */
  readonly renderedFor?: string;
  readonly flags: readonly ListedFlag[];
}

/** The command line of the engine, flag by flag: as rendered for a replica, else as it will be for the chosen shape. */
export function listFlags(reading: DeploymentReading): ListedFlags {
  const judged = judgedShape(reading);
  if (judged === undefined || judged.verdict.verdict === 'Unsupported') return { flags: [] };
  const rendered = reading.replicas.find((replica) => renderedArguments(replica).length > 0);
  const words = rendered === undefined ? expectedArguments(reading, judged) : renderedArguments(rendered);
  const flags = [...parseFlags(words)].map(([flag, value]) => describeFlag({ flag, value }, reading, judged));
  const replica = rendered?.metadata.name;
  return { ...(replica === undefined ? {} : { renderedFor: replica }), flags };
}

function renderedArguments(replica: KubernetesObject): readonly string[] {
  return readList(replica, ['status', 'engine', 'args']).filter((word) => typeof word === 'string');
}

function expectedArguments({ xr, spec }: DeploymentReading, { verdict, shape }: JudgedShape): readonly string[] {
  if (verdict.verdict === 'Unsupported') return [];
  const servedName = `${xr.metadata.namespace ?? ''}/${xr.metadata.name ?? ''}`;
  const { model, load, engine } = spec;
  return listArguments({ model, load, sizing: verdict.sizing, shape, servedName, authorArgs: engine.args });
}

/** Why a flag that memory does not depend on is there. */
const reasons: Readonly<Record<string, (judged: JudgedShape) => string>> = {
  '--pipeline-parallel-size': (judged) => `stages of the shape ${shapeOf(judged)}`,
  '--tensor-parallel-size': (judged) => `accelerators of a stage of the shape ${shapeOf(judged)}`,
  '--port': () => 'the port that the Service, the probes and the scraper ask',
  '--revision': () => 'spec.model.revision, so that every replica loads the same files',
  '--served-model-name': () => 'the name by which the gateway asks, whatever the service is called',
  '--uvicorn-log-level': () => 'without it 99.5% of a kept log was the scraper (L38)',
};

function shapeOf({ shape, hardwareClass }: JudgedShape): string {
  return describeShape(shape, hardwareClass.accelerator.name);
}

function describeFlag(
  { flag, value }: { readonly flag: string; readonly value: string },
  { spec }: DeploymentReading,
  judged: JudgedShape,
): ListedFlag {
  const { verdict } = judged;
  const explained = verdict.verdict === 'Unsupported' ? [] : explainFlags(verdict.sizing, spec.load, spec.engine.args);
  const sized = explained.find((candidate) => candidate.flag === flag);
  if (sized !== undefined) return { ...sized, value };
  const isAuthors = parseFlags(spec.engine.args).has(flag);
  const computed = reasons[flag]?.(judged);
  if (!isAuthors) return { flag, value, setBy: 'computed', reason: computed ?? 'set by this version' };
  const reason =
    computed === undefined ? 'spec.engine.args' : `spec.engine.args, in place of the computed one: ${computed}`;
  return { flag, value, setBy: 'author', reason };
}
