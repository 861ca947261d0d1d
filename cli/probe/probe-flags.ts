import { readFileSync } from 'node:fs';
import { type Protocol, protocols } from '../../domain/evidence/ask.ts';
import { builtInCases, type CaseName, caseNames } from '../../domain/evidence/cases/built-in-cases.ts';
import type { EvidenceCase } from '../../domain/evidence/cases/case.ts';
import type { Endpoint } from '../../functions/evidence/ask-endpoint.ts';
import { UnreadableInput } from '../unreadable.ts';

/** The flags of `modelberth probe` as typed. */
export interface ProbeFlags {
  readonly model: readonly string[];
  readonly against?: string;
  readonly protocol: 'openai' | 'anthropic' | 'both';
  readonly againstProtocol?: 'openai' | 'anthropic' | 'both';
  readonly keyFile?: string;
  readonly againstKeyFile?: string;
  readonly case: readonly string[];
  readonly tries: string;
  readonly leastPassShare: string;
  readonly context: string;
  readonly mostOutput: string;
  readonly parallel: string;
  readonly timeout: string;
  readonly users?: string;
  readonly concurrency: string;
  readonly rounds: string;
  readonly output: 'text' | 'json' | 'html';
}

export interface ProbedEndpoint extends Endpoint {
  readonly protocols: readonly Protocol[];
}

export interface ProbeQuestion {
  readonly endpoints: readonly [ProbedEndpoint, ...ProbedEndpoint[]];
  readonly cases: readonly EvidenceCase[];
  readonly tries: number;
  readonly leastPassShare: number;
  readonly contextTokens: number;
  readonly outputTokens: number;
  readonly parallel: number;
  readonly load?: { readonly users: number; readonly concurrency: number; readonly rounds: number };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What the flags ask for. Throws `UnreadableInput` with the flag and the fix. */
export function readProbe(url: string, flags: ProbeFlags, environment: Environment): ProbeQuestion {
  const idleSeconds = readNumber('--timeout', flags.timeout, { least: 1, most: 3600 });
  const [model, otherModel = model] = flags.model;
  if (model === undefined) throw new UnreadableInput('Cannot probe without --model: name what the endpoint serves');
  const first = {
    url: readUrl('<url>', url),
    model,
    ...keyOf(flags.keyFile, environment.MODELBERTH_API_KEY),
    idleSeconds,
    protocols: spoken[flags.protocol],
  };
  const second =
    flags.against === undefined || otherModel === undefined
      ? []
      : [
          {
            url: readUrl('--against', flags.against),
            model: otherModel,
            ...keyOf(flags.againstKeyFile, environment.MODELBERTH_AGAINST_API_KEY),
            idleSeconds,
            protocols: spoken[flags.againstProtocol ?? flags.protocol],
          },
        ];
  return {
    endpoints: [first, ...second],
    cases: readCases(flags.case),
    tries: readNumber('--tries', flags.tries, { least: 1, most: 1000 }),
    leastPassShare: readNumber('--least-pass-share', flags.leastPassShare, { least: 0, most: 1 }),
    contextTokens: readNumber('--context', flags.context, { least: 256, most: 10_000_000 }),
    outputTokens: readNumber('--most-output', flags.mostOutput, { least: 16, most: 1_000_000 }),
    parallel: readNumber('--parallel', flags.parallel, { least: 1, most: 256 }),
    ...readLoad(flags),
  };
}

const spoken: Readonly<Record<ProbeFlags['protocol'], readonly Protocol[]>> = {
  openai: ['OpenAI'],
  anthropic: ['Anthropic'],
  both: protocols,
};

function readLoad({ users, concurrency, rounds }: ProbeFlags): Pick<ProbeQuestion, 'load'> {
  if (users === undefined) return {};
  return {
    load: {
      users: readNumber('--users', users, { least: 1, most: 10_000 }),
      concurrency: readNumber('--concurrency', concurrency, { least: 1, most: 1000 }),
      rounds: readNumber('--rounds', rounds, { least: 1, most: 1000 }),
    },
  };
}

function readCases(names: readonly string[]): readonly EvidenceCase[] {
  const unknown = names.find((name) => !isCaseName(name));
  if (unknown !== undefined)
    throw new UnreadableInput(`Cannot try --case "${unknown}": no such case; want one of ${caseNames.join(', ')}`);
  return (names.length === 0 ? caseNames : names.filter(isCaseName)).map((name) => builtInCases[name]);
}

function isCaseName(name: string): name is CaseName {
  return caseNames.some((known) => known === name);
}

function readNumber(flag: string, text: string, { least, most }: { least: number; most: number }): number {
  const value = Number(text);
  const isWhole = Number.isInteger(value) || flag === '--least-pass-share';
  if (isWhole && value >= least && value <= most && text.trim() !== '') return value;
  throw new UnreadableInput(`Cannot read ${flag} "${text}": want a number from ${least} to ${most}`);
}

function readUrl(flag: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UnreadableInput(`Cannot read ${flag} "${text}": want an address such as https://models.example.com/v1`);
  if (url.username !== '' || url.password !== '')
    throw new UnreadableInput(`Cannot read ${flag}: it holds a password; give the key by a file or the environment`);
  return text;
}

function keyOf(file: string | undefined, variable: string | undefined): { readonly key?: string } {
  const key = file === undefined ? variable : readKey(file);
  return key === undefined || key === '' ? {} : { key };
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UnreadableInput(`Cannot read the key in "${file}": ${error instanceof Error ? error.message : error}`);
  }
}
