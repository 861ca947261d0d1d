/** An engine and its version, as an image tag, a log or a flag writes it. */
export interface EngineBuild {
  readonly type: 'vLLM' | 'SGLang';
  /** `0.19.1` as 19001, for a dated fork the release of its day; undefined when the text names no version. */
  readonly version?: number;
  /** The release that a dated fork branched from: it keeps the defaults and the runner of that one. */
  readonly branch?: number;
  /** The engine that vLLM had before its V1 (0.8 and earlier could run either). */
  readonly isV0: boolean;
}

/** The version of a vLLM release as one comparable number. */
export function release(minor: number, patch = 0): number {
  return minor * 1000 + patch;
}

/**
 * Releases by the month in which they came, for builds that carry a date in place of a release
 * (github.com/vllm-project/vllm/releases, read 2026-12-01).
 */
const releasedIn: readonly (readonly [month: string, version: number])[] = [
  ['202503', release(8)],
  ['202505', release(9)],
  ['202507', release(10)],
  ['202510', release(11)],
  ['202512', release(12)],
  ['202601', release(14)],
  ['202602', release(16)],
  ['202603', release(18)],
  ['202604', release(20)],
  ['202605', release(21)],
  ['202606', release(23)],
  ['202607', release(25)],
  ['202608', release(27)],
  ['202609', release(29)],
  ['202610', release(31)],
];
const months = 'january february march april may june july august september october november december'.split(' ');

/** Reads a version text: a release, a development build, a fork with a date, or words. */
export function parseBuild(type: EngineBuild['type'], text: string | undefined): EngineBuild {
  if (text === undefined) return { type, isV0: false };
  // What stands in brackets is a remark, not the version: "model-specific image (0.30.0 failed)".
  const branch = firstRelease(text.replace(/\([^)]*\)/g, ''));
  const dated = type === 'SGLang' ? undefined : datedBuild(text);
  const version = dated ?? branch;
  const isV0 = type === 'vLLM' && (/\bV0\b/.test(text) || (version !== undefined && version < release(8)));
  return {
    type,
    isV0,
    ...(version === undefined ? {} : { version }),
    ...(dated === undefined || branch === undefined ? {} : { branch }),
  };
}

/** The engine in an image such as `vllm/vllm-openai:v0.19.0`; a digest or `latest` has no version. */
export function readImage(image: string, type: EngineBuild['type'] = 'vLLM'): EngineBuild {
  return parseBuild(type, /:v?(\d[^@/]*)$/.exec(image)?.[1]);
}

function firstRelease(text: string): number | undefined {
  const match = /(?:^|[^\d.])0\.(\d+)(?:\.(\d+))?/.exec(text);
  // A build from a checkout without tags calls itself 0.0.0.
  return match === null || match[1] === '0' ? undefined : release(Number(match[1]), Number(match[2] ?? 0));
}

/** A fork counts as the release of its day; a development build of upstream keeps its number. */
function datedBuild(text: string): number | undefined {
  const inNumber = /20(2\d)([01]\d)[0-3]\d/.exec(text);
  if (inNumber !== null) return releaseOf(`20${inNumber[1]}${inNumber[2]}`);
  const inWords = /([A-Z][a-z]+) (20\d\d)/.exec(text);
  const month = months.indexOf((inWords?.[1] ?? '').toLowerCase());
  return inWords === null || month < 0 ? undefined : releaseOf(`${inWords[2]}${String(month + 1).padStart(2, '0')}`);
}

function releaseOf(month: string): number | undefined {
  return releasedIn.findLast(([from]) => from <= month)?.[1];
}
