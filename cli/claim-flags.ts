import type { Command } from 'commander';
import { readNow } from './read-now.ts';
import type { RenderFiles } from './render/render-claims.ts';

/** What every verb over claims is given. */
export interface ClaimFlags {
  readonly filename: string;
  readonly observed?: string;
  readonly required?: string;
  readonly now?: string;
}

/** Width of a text where standard output is no terminal. */
export const logWidth = 100;

/** Declares the flags by which a verb is told of claims and of what exists. */
export function withClaimFlags(command: Command): Command {
  return command
    .requiredOption('-f, --filename <path>', 'file or folder with the claims and the platform objects that they name')
    .option('--observed <path>', 'composed resources as observed, each with its key and its owner')
    .option('--required <path>', 'other objects that exist, e.g. Nodes, Pods and EndpointSlices')
    .option('--now <time>', 'the time to decide at (RFC 3339); default: now');
}

/** The files and the time that the flags name. Throws `UnreadableInput`. */
export function readClaimFlags({ filename, observed, required, now }: ClaimFlags): RenderFiles {
  return {
    file: filename,
    now: readNow(now),
    ...(observed === undefined ? {} : { observed }),
    ...(required === undefined ? {} : { required }),
  };
}
