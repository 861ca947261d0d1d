import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conditionTypes, reasons, warningReasons } from '../domain/kubernetes/condition.ts';

const folder = join(import.meta.dirname, '../docs/reasons');
const heading = '<!-- Generated from domain/kubernetes/condition.ts by `npm run generate`; do not edit. -->\n\n';

describe('the closed list of reasons (S6)', () => {
  it.each(Object.entries(reasons))('%s has its page', async (reason, { means, mend }) => {
    const page = `${heading}# ${reason}\n\n${means}\n\n**What to do.** ${mend}\n`;
    await expect(page).toMatchFileSnapshot(join(folder, `${reason}.md`));
  });

  it('has no page beside it that nobody wrote', () => {
    const pages = readdirSync(folder).filter((file) => file !== 'README.md');
    expect(pages.sort()).toEqual(
      Object.keys(reasons)
        .sort()
        .map((reason) => `${reason}.md`),
    );
  });

  it('has an index with the condition types', async () => {
    const types = Object.entries(conditionTypes).map(([type, means]) => `| ${type} | ${means} |`);
    const list = Object.entries(reasons).map(([reason, { means }]) => `| [${reason}](${reason}.md) | ${means} |`);
    const page = [
      '# Conditions and reasons',
      '',
      '| condition | True means |',
      '|---|---|',
      ...types,
      '',
      '| reason | means |',
      '|---|---|',
      ...list,
      '',
      `A True condition with ${warningReasons.join(' or ')} is worth a look all the same.`,
      '',
    ];
    await expect(`${heading}${page.join('\n')}`).toMatchFileSnapshot(join(folder, 'README.md'));
  });
});
