import { termBytes } from '../../domain/fit/verdict.ts';
import { inGib } from '../../domain/units/bytes.ts';
import type { FitAnswer } from './answer-request.ts';
import { headline, printFit, shares } from './print-fit.ts';

const colours = ['#3b6ea5', '#e0a030', '#8a8a8a', '#b05f9e', '#3f9a5f', '#d8dde2'];

/** The answer as one page without a script or anything to load: the memory as stacked, labelled bars, then the text. */
export function printPage(answer: FitAnswer): string {
  const title = escapeText(`${answer.request.modelName} on ${answer.request.known.name}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1c2329 }
.bar { display: flex; height: 3rem; border: 1px solid #8a949e; border-radius: 4px; overflow: hidden }
.bar div { overflow: hidden; white-space: nowrap; min-width: 0 }
.key { display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; list-style: none }
.key i { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.4em }
pre { overflow-x: auto; background: #f4f6f8; padding: 1rem }
</style>
</head>
<body>
<h1>${title}</h1>
<p>${escapeText(headline(answer))}</p>
${bar(answer)}
<pre>${escapeText(printFit(answer))}</pre>
</body>
</html>
`;
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

/** Text that is safe in HTML. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
