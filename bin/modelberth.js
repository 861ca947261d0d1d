#!/usr/bin/env node
// The modelberth command: cli/main.ts on Node 24, in this process where that is what runs it.
import { fileURLToPath } from 'node:url';
import { wantedMajor } from './find-node24.js';
import { runOnNode24 } from './run-on-node24.js';

const main = new URL('../cli/main.ts', import.meta.url);
if (process.version.startsWith(`v${wantedMajor}.`)) await import(main.href);
else runOnNode24(fileURLToPath(main), process.argv.slice(2));
