/**
 * Which flags each release of an engine takes, from tables that were read out of the releases themselves: a flag that it
 * does not know ends an engine at its start, on nodes that have been paid for. A release between two of the table is
 * taken to know what either knows. Only an official image of a release is judged: a fork adds flags, a build without a
 * version may be anything, and one that is newer than the table may know more.
 */
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { once } from '../../units/once.ts';
import { canonicalFlag } from '../flag-name.ts';
import type { EngineBuild } from './engine-build.ts';
import sglang from './sglang-flags.json' with { type: 'json' };
import vllm from './vllm-flags.json' with { type: 'json' };

const FlagTable = z.strictObject({
  engine: z.enum(['vLLM', 'SGLang']),
  /** Where and when the flags were read. */
  source: z.string().min(1),
  readOn: z.iso.date(),
  /** The releases that were read, the oldest first. */
  versions: z.array(z.string()).min(2),
  /** The first and the last of those releases that takes each flag. */
  flags: z.record(z.string(), z.tuple([z.string(), z.string()])),
});
export type FlagTable = z.output<typeof FlagTable>;

const tables = once(
  (): Readonly<Record<EngineBuild['type'], FlagTable>> => ({
    vLLM: FlagTable.parse(vllm),
    SGLang: FlagTable.parse(sglang),
  }),
);

/** The flags of an engine, with their source. */
export function flagTable(type: EngineBuild['type']): FlagTable {
  return tables()[type];
}

/** An engine as the claim names it. */
export interface EngineImage {
  readonly type: EngineBuild['type'];
  readonly image: string;
}

/** What a release lacks, and what can be done about it. */
interface UnknownFlag {
  readonly why: string;
  readonly fix: string;
}

/** Why a release does not take a flag, without a fix; undefined when it does, and where nobody can say. */
export function explainUnknownFlag(engine: EngineImage, written: string): string | undefined {
  return findUnknownFlag(engine, written)?.why;
}

function findUnknownFlag({ type, image }: EngineImage, written: string): UnknownFlag | undefined {
  const table = flagTable(type);
  const version = releaseOf(image);
  const around = version === undefined ? undefined : findAround(table.versions, version);
  if (version === undefined || around === undefined) return undefined;
  const flag = canonicalFlag(written.replace(/[.=].*$/, ''));
  if (isTaken(table, flag, around)) return undefined;
  const range = table.flags[flag];
  if (range === undefined) {
    const why = `no ${type} from ${table.versions[0]} to ${table.versions.at(-1)} has "${written}"`;
    return { why, fix: suggest(table, flag) };
  }
  const [first, last] = range;
  const isOver = table.versions.indexOf(last) < around[0];
  const has = isOver ? `${last} had it` : `${first} has it`;
  const fix = 'remove it, or set spec.engine.image to a release that has it';
  return { why: `${type} ${version} has no "${written}", ${has}`, fix };
}

/** The official images, with the release in the tag and perhaps the CUDA that it was built for. */
const officialImage = /(?:^|\/)(?:vllm-openai|sglang):v?(\d+\.\d+\.\d+(?:\.post\d+)?)(?:-cu\d+)?(?:@.*)?$/;

function releaseOf(image: string): string | undefined {
  return officialImage.exec(image)?.[1];
}

/** The places of the nearest releases of the table, at or before a version and at or after it. */
function findAround(versions: readonly string[], version: string): readonly [number, number] | undefined {
  const before = versions.findLastIndex((read) => compareVersions(read, version) <= 0);
  const after = versions.findIndex((read) => compareVersions(read, version) >= 0);
  return before === -1 || after === -1 ? undefined : [before, after];
}

/** Compares `0.8.5` with `0.8.5.post1` and the like by their numbers. */
function compareVersions(left: string, right: string): number {
  const [one, other] = [left, right].map((text) => (text.match(/\d+/g) ?? []).map(Number));
  for (const index of [0, 1, 2, 3]) {
    const difference = (one?.[index] ?? 0) - (other?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Engines take `--no-x` for a switch `--x`, and the beginning of a flag where no other begins so. */
function isTaken({ flags, versions }: FlagTable, flag: string, [before, after]: readonly [number, number]): boolean {
  const isKnown = (name: string) => {
    const range = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (range === undefined) return false;
    const [first, last] = range.map((version) => versions.indexOf(version));
    return [before, after].some((index) => index >= (first ?? 0) && index <= (last ?? 0));
  };
  if (flag === '--help' || flag === '-h' || isKnown(flag) || /^-O\d*$/.test(flag)) return true;
  if (flag.startsWith('--no-') && isKnown(`--${flag.slice('--no-'.length)}`)) return true;
  return (
    flag.startsWith('--') && Object.keys(flags).filter((name) => name.startsWith(flag) && isKnown(name)).length === 1
  );
}

/** Letters by which a flag that is meant may differ from what is written. */
const mostLetters = 3;

function suggest({ flags }: FlagTable, flag: string): string {
  const near = closest(flag, Object.keys(flags));
  return distance(flag, near) <= mostLetters ? `write "${near}" if you meant that, or remove it` : 'remove it';
}

/** Every argument of the author that the engine does not take, as sentences; empty where all are taken. */
export function refuseArguments(engine: EngineImage, args: readonly string[]): readonly string[] {
  const flags = args.filter((word) => /^--?[A-Za-z]/.test(word)).map((word) => word.split('=')[0] ?? word);
  const unknown = [...new Set(flags)].flatMap((flag) => findUnknownFlag(engine, flag) ?? []);
  return unknown.map(({ why, fix }) => `${why}: ${fix}`);
}
