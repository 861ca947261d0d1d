import { termBytes } from '../../domain/fit/verdict.ts';
import { inGib } from '../../domain/units/bytes.ts';
import { escapeText, formatHtmlPage } from '../html-page.ts';
import type { FitAnswer } from './answer-request.ts';
import { headline, printFit, shares } from './print-fit.ts';

const colours = ['#3b6ea5', '#e0a030', '#8a8a8a', '#b05f9e', '#3f9a5f', '#d8dde2'];

/** The answer as one page without a script or anything to load: the memory as stacked, labelled bars, then the text. */
export function printPage(answer: FitAnswer): string {
  const title = `${answer.request.modelName} on ${answer.request.known.name}`;
  const styles = `.bar { display: flex; height: 3rem; border: 1px solid #8a949e; border-radius: 4px; overflow: hidden }
.bar div { overflow: hidden; white-space: nowrap; min-width: 0 }
.key { display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; list-style: none }
.key i { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.4em }`;
  const body = `<p>${escapeText(headline(answer))}</p>
${bar(answer)}
<pre>${escapeText(printFit(answer))}</pre>`;
  return formatHtmlPage({ title, width: 60, styles, body });
}

function bar({ verdict }: FitAnswer): string {
  if (verdict.verdict === 'Unsupported') return '';
  const visible = termBytes(verdict.terms, 'visible');
  const parts = shares.map(([name, label], index) => {
    const bytes = termBytes(verdict.terms, name);
    const share = Math.max(0, (100 * bytes) / visible).toFixed(2);
    return { label: `${label} ${inGib(bytes)} GiB`, share, colour: colours[index] ?? '#fff' };
  });
  const boxes = parts.map(
    ({ label, share, colour }) =>
      `<div style="flex: 0 1 ${share}%; background: ${colour}" title="${label}" aria-label="${label}"></div>`,
  );
  const key = parts.map(({ label, colour }) => `<li><i style="background: ${colour}"></i>${label}</li>`);
  return `<div class="bar" role="img" aria-label="Memory of one accelerator">\n${boxes.join('\n')}\n</div>\n<ul class="key">\n${key.join('\n')}\n</ul>`;
}
