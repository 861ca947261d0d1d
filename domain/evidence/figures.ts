import { isRecord, readList, readNumber, readPath, readString } from '../kubernetes/object.ts';
import { type CaseResult, quantile } from './case-result.ts';
import { faultReasons } from './grade.ts';

/** What a check leaves in the termination message of its pod: as many figures as fit. */
export interface Figures {
  /** What failed first, as a sentence; undefined where everything passed. */
  readonly failure?: string;
  /** Milliseconds to the first token: the median and the 95th percentile. */
  readonly firstTokenMillis?: { readonly median: number; readonly ninetyFifth: number };
  /** Output tokens per second of one answer, the median. */
  readonly tokensPerSecond?: number;
}

/** Kubelet keeps 4,096 bytes of a termination message. */
const mostFailureCharacters = 600;

/** The figures of results. */
export function figuresOf(results: readonly CaseResult[]): Figures {
  const failing = results.find(({ verdict }) => verdict === 'Failed');
  const times = results.flatMap(({ firstPartMillis }) => firstPartMillis);
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  const speeds = results.flatMap(({ tokensPerSecond }) => tokensPerSecond);
  const speed = quantile(speeds, 0.5);
  return {
    ...(failing === undefined ? {} : { failure: sayFailure(failing) }),
    ...(p50 === undefined || p95 === undefined
      ? {}
      : { firstTokenMillis: { median: Math.round(p50), ninetyFifth: Math.round(p95) } }),
    ...(speed === undefined ? {} : { tokensPerSecond: Math.round(10 * speed) / 10 }),
  };
}

function sayFailure({ name, protocol, failed, tries, failure }: CaseResult): string {
  const why =
    failure === undefined ? '' : `: ${faultReasons[failure.reason]}: found ${failure.found}; want ${failure.wanted}`;
  return `${name} over ${protocol} failed in ${failed} of ${tries} tries${why}`.slice(0, mostFailureCharacters);
}

/** The figures in the termination message of any of the pods of a check; empty where none has one that can be read. */
export function readFigures(pods: readonly unknown[]): Figures {
  for (const pod of pods) {
    for (const status of readList(pod, ['status', 'containerStatuses'])) {
      const found = parse(readString(status, ['state', 'terminated', 'message']));
      if (found !== undefined) return found;
    }
  }
  return {};
}

function parse(message: string | undefined): Figures | undefined {
  if (message === undefined || !message.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(message);
    return isRecord(value) ? readParsed(value) : undefined;
  } catch {
    return undefined;
  }
}

function readParsed(value: Readonly<Record<string, unknown>>): Figures {
  const failure = readString(value, ['failure']);
  const [median, ninetyFifth] = ['median', 'ninetyFifth'].map((name) =>
    readNumber(readPath(value, ['firstTokenMillis']), [name]),
  );
  const tokensPerSecond = readNumber(value, ['tokensPerSecond']);
  return {
    ...(failure === undefined ? {} : { failure: failure.slice(0, mostFailureCharacters) }),
    ...(median === undefined || ninetyFifth === undefined ? {} : { firstTokenMillis: { median, ninetyFifth } }),
    ...(tokensPerSecond === undefined ? {} : { tokensPerSecond }),
  };
}
