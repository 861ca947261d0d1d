/**
 * Bundles the entry point of the functions into one file for the image, so that it starts without node_modules and
 * reads a hundred files less. Not minified: a stack trace from a cluster should name the function that threw.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** CommonJS dependencies (grpc-js, prom-client) call `require` for Node's own modules, which an ES module does not have. */
const banner = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`;

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
    banner: { js: banner },
    logLevel: 'warning',
  });
}

if (import.meta.main) await bundle('dist/main.js');
