/** The version that the tag of an image names. */
export interface ImageVersion {
  /** As the tag has it, without the `v`: `0.8.0`. */
  readonly text: string;
  isOlderThan(version: readonly [major: number, minor: number]): boolean;
}

/** Major and minor: `0.8` of `registry.k8s.io/lws/lws:v0.8.0`; the port of a registry is none. */
const versionTag = /:v?((\d+)\.(\d+)(?:\.\d+)?(?:-[\w.-]+)?)(?:@[^/]*)?$/;

/** Reads the version of an image; undefined where its tag names none, as that of a digest alone. */
export function imageVersion(image: string | undefined): ImageVersion | undefined {
  const [, text, major, minor] = versionTag.exec(image ?? '') ?? [];
  if (text === undefined) return undefined;
  const [ownMajor, ownMinor] = [Number(major), Number(minor)];
  return {
    text,
    isOlderThan: ([least, leastMinor]) => ownMajor < least || (ownMajor === least && ownMinor < leastMinor),
  };
}
