import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../render/read-cases.ts';

/** One line of a `sh` block of a page. */
export interface DocumentedCommand {
  readonly page: string;
  readonly command: string;
}

/** Every command that the README, the pages of `docs` and the READMEs of examples show. */
export function readCommands(): readonly DocumentedCommand[] {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const examples = readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`);
  const pages = ['README.md', ...docs.map((name) => `docs/${name}`), ...examples];
  return pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
    const lines = blocks.flatMap((block) => block.replace(/\\\n\s*/g, '').split('\n'));
    return lines.filter((line) => line !== '' && !line.startsWith('#')).map((command) => ({ page, command }));
  });
}
