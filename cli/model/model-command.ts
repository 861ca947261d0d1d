import { Command } from 'commander';
import { stringify } from 'yaml';
import { checkFit } from '../../domain/fit/check-fit.ts';
import { findAccelerator, toAccelerator } from '../../domain/hardware/find-accelerator.ts';
import type { ModelFacts } from '../../domain/model/model-facts.ts';
import { UnreadableInput } from '../unreadable.ts';
import { readCheckpoint } from './read-checkpoint.ts';

const examples = `
Examples:
  modelberth model facts ./Llama-3.1-8B-Instruct
  modelberth model facts config.json --index model.safetensors.index.json

Exit codes: 0 done, 1 a fact that the fit needs is missing, 2 bad usage or unreadable input`;

/** `modelberth model facts`: a checkpoint's files to facts for a claim. */
export function modelCommand(write: (text: string) => void, setExitCode: (code: number) => void): Command {
  const facts = new Command('facts')
    .description('Print the facts of a checkpoint as YAML for spec.model.facts')
    .argument('<path>', 'directory of the checkpoint, or its config.json')
    .option('--index <file>', 'model.safetensors.index.json, where it is not beside the config')
    .addHelpText('after', examples)
    .action((path: string, flags: { readonly index?: string }) => {
      const checkpoint = readCheckpoint(path, flags.index);
      const missing = missingFor(checkpoint.facts);
      const comment = missing.length === 0 ? '' : `# Missing for the fit: ${missing.join(', ')}\n`;
      write(`# Weights: ${checkpoint.weightSource}\n${comment}${stringify({ facts: checkpoint.facts })}`);
      setExitCode(missing.length === 0 ? 0 : 1);
    });
  return new Command('model').description('Tell what a checkpoint is').addHelpText('after', examples).addCommand(facts);
}

/** What the fit would miss, whatever the accelerator. */
function missingFor(facts: ModelFacts): readonly string[] {
  const known = findAccelerator('H100');
  if (known === undefined) throw new UnreadableInput('Cannot find the H100 in the catalogue of accelerators');
  const shape = { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 };
  const verdict = checkFit({ facts, accelerator: toAccelerator(known), shape, load: { contextTokens: 1024 } });
  return verdict.verdict === 'Unsupported' ? verdict.missing : [];
}
