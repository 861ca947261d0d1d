import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The folder under `tools/` that pins the versions of one thing. */
function moduleFolder(name: string): string {
  return join(root, 'tools', name);
}

/** The text of `go.mod` and `go.sum` of a tool folder, and of its own source if it has any: what its cache is keyed by. */
export function readPins(name: string): string {
  const files = readdirSync(moduleFolder(name)).filter((file) => /^go\.(mod|sum)$|\.go$/.test(file));
  return files
    .sort()
    .map((file) => readFileSync(join(moduleFolder(name), file), 'utf8'))
    .join('\n');
}

/** The version of a module that the `go.mod` of a tool folder requires. Throws when it requires none. */
export function requiredVersion(name: string, module: string): string {
  const goMod = readFileSync(join(moduleFolder(name), 'go.mod'), 'utf8');
  for (const line of goMod.split('\n')) {
    const words = line
      .trim()
      .replace(/^require /, '')
      .split(' ');
    if (words[0] === module && words[1] !== undefined) return words[1];
  }
  throw new Error(`Cannot find ${module} in tools/${name}/go.mod: require it there in an exact version`);
}

/** The Go version that a tool folder asks for, such as "1.26.0". */
export function wantedGo(name: string): string {
  const goMod = readFileSync(join(moduleFolder(name), 'go.mod'), 'utf8');
  return /^go (\S+)$/m.exec(goMod)?.[1] ?? 'of any version';
}

/** What `go version` prints; undefined when there is no Go. */
export function goVersion(): string | undefined {
  const run = spawnSync('go', ['version'], { encoding: 'utf8' });
  return run.status === 0 ? run.stdout.trim() : undefined;
}

/** Runs `go` in a tool folder and returns its output. Throws with what it said when it fails. */
export function runGo(name: string, args: readonly string[]): string {
  const run = spawnSync('go', args, {
    cwd: moduleFolder(name),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    // The programs need no C library, and compiling the C in their modules takes minutes.
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  if (run.status === 0) return run.stdout;
  const said = run.error?.message ?? `${run.stderr}${run.stdout}`.trim();
  throw new Error(`Cannot run "go ${args.join(' ')}" in tools/${name}: ${said}`);
}

/** The folder with the source of a module in the version that a tool folder requires, downloaded if need be. */
export function moduleSource(name: string, module: string): string {
  const printed = runGo(name, ['mod', 'download', '-json', `${module}@${requiredVersion(name, module)}`]);
  const { Dir: folder }: { Dir: string } = JSON.parse(printed);
  return folder;
}
