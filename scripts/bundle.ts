/**
 * Bundles the entry point of the functions into one file for the image, so that it starts without node_modules and
 * reads a hundred files less. White space goes, names stay: a stack trace from a cluster should name the function that
 * threw. What is never run goes too, since Node reads all of a file before it runs any: a start costs half of it.
 */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** CommonJS dependencies (grpc-js, prom-client) call `require` for Node's own modules, which an ES module does not have. */
const banner = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`;

/** The messages of zod in fifty languages: ours are English, and zod brings that along by itself. */
const withoutLanguages: Plugin = {
  name: 'without-languages',
  setup: (bundler) => {
    bundler.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/** Loaded by grpc-js only for channelz and ORCA, which are not served. */
const neverLoaded = ['@grpc/proto-loader'];

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes the bundle and its source map. */
export async function bundle(outfile: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['functions/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    sourcemap: true,
    minifyWhitespace: true,
    minifySyntax: true,
    external: neverLoaded,
    plugins: [withoutLanguages],
    banner: { js: banner },
    logLevel: 'warning',
  });
}

if (import.meta.main) await bundle('dist/main.js');
