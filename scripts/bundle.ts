/**
 * Bundles the entry point of the functions into one file for the image, so that it starts without node_modules and
 * reads a hundred files less. White space goes, names stay: a stack trace from a cluster should name the function that
 * threw. What is never run goes too, since Node reads all of a file before it runs any: a start costs half of it. The
 * name of the file says that it is a module, or Node would try the other kind first.
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

/** Node's own modules by `require`: an import of one evaluates all that it exports, with node:http fetch, for a tenth of a start. */
const withoutFacades: Plugin = {
  name: 'without-facades',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'node' } : undefined,
    );
    bundler.onLoad({ filter: /^node:/, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
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
    plugins: [withoutLanguages, withoutFacades],
    banner: { js: banner },
    logLevel: 'warning',
  });
}

if (import.meta.main) await bundle('dist/main.mjs');
