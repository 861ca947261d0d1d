import { type ComputedFlag, memoryFlags } from '../fit/advice/memory-flags.ts';
import type { Load } from '../fit/load.ts';
import type { Sizing } from '../fit/verdict.ts';
import type { Model } from '../model/model.ts';
import { checkpointOf } from '../model/weights.ts';
import { describeShape, type Shape } from '../shape/shape.ts';
import type { Engine } from './engine.ts';
import { enginePort } from './engine-port.ts';

/** What the flags of an engine are computed from. */
export interface FlagsQuestion {
  readonly type: Engine['type'];
  readonly model: Pick<Model, 'name' | 'revision' | 'weights'>;
  readonly load: Load;
  readonly sizing: Sizing;
  readonly shape: Shape;
  readonly acceleratorName: string;
  /** Name by which the gateway asks for the model. */
  readonly servedName: string;
}

/** Every flag that Modelberth sets for one replica, each with its reason. */
export function computedFlags(question: FlagsQuestion): readonly ComputedFlag[] {
  const { type, model, load, sizing, shape, servedName } = question;
  const { revision } = model;
  const where = describeShape(shape, question.acceleratorName);
  const pinned = 'spec.model.revision, so that every replica loads the same files';
  return [
    ...memoryFlags(sizing, load, type),
    ...ownFlags[type](question),
    sized('--pipeline-parallel-size', shape.pipelineParallelSize, `stages of the shape ${where}`),
    sized('--tensor-parallel-size', shape.tensorParallelSize, `accelerators of a stage of the shape ${where}`),
    sized('--port', enginePort, 'the port that the Service, the probes and the scraper ask'),
    ...(revision === undefined ? [] : [{ flag: '--revision', value: revision, reason: pinned }]),
    {
      flag: '--served-model-name',
      value: servedName,
      reason: 'the name by which the gateway asks, whatever the service is called',
    },
  ];
}

function sized(flag: string, value: number, reason: string): ComputedFlag {
  return { flag, value: `${value}`, reason };
}

const quiet = 'without it 99.5% of a kept log was the scraper (L38)';

/** What one engine wants that the other has by itself; a flag without a value is a switch. */
const ownFlags: Readonly<Record<Engine['type'], (question: FlagsQuestion) => readonly ComputedFlag[]>> = {
  vLLM: () => [{ flag: '--uvicorn-log-level', value: 'warning', reason: quiet }],
  SGLang: ({ model }) => [
    {
      flag: '--model-path',
      value: checkpointOf(model),
      reason: checkpointOf(model) === model.name ? 'spec.model.name' : 'spec.model.weights',
    },
    { flag: '--host', value: '0.0.0.0', reason: 'SGLang listens to its own pod only, unless it is told otherwise' },
    { flag: '--enable-metrics', value: '', reason: 'the scraper and the drain before a stop read them' },
    { flag: '--log-level-http', value: 'warning', reason: quiet },
  ],
};
