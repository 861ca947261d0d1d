import { wilsonInterval } from '../../domain/evidence/odds.ts';
import { escapeText, formatHtmlPage } from '../html-page.ts';
import { caseRow, printProbe, sayPasses } from './print-probe.ts';
import type { ProbeAnswer } from './run-probe.ts';

/** The answer as one page without a script or anything to load: pass rates as bars with their intervals, then the text. */
export function printProbePage(answer: ProbeAnswer): string {
  const title = `Probe of ${answer.first.model}`;
  const styles = `table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid #d8dde2 }
.rate { position: relative; height: 0.9rem; min-width: 8rem; background: #eef1f4; border-radius: 3px }
.rate b, .rate i { position: absolute; top: 0; bottom: 0 }
.rate b { left: 0; background: #3f9a5f; border-radius: 3px }
.rate.failed b { background: #c0504d }
.rate i { background: #1c232940; top: 35%; bottom: 35% }`;
  const body = `<table>
${answer.compared.map(pageRow).join('\n')}
</table>
<pre>${escapeText(printProbe(answer, 100))}</pre>`;
  return formatHtmlPage({ title, width: 60, styles, body });
}

function pageRow(compared: ProbeAnswer['compared'][number]): string {
  const { first, second } = compared;
  const why = caseRow(compared).at(-1) ?? '';
  const rates = second === undefined ? [first] : [first, second];
  const cells = rates.map((result) => `<td>${rate(result)}</td>`).join('');
  return `<tr><th scope="row">${first.name} ${first.protocol}</th>${cells}<td>${escapeText(why)}</td></tr>`;
}

function rate(result: ProbeAnswer['compared'][number]['first']): string {
  const { passed, tries, verdict } = result;
  const { from, to } = wilsonInterval(passed, tries);
  const share = tries === 0 ? 0 : passed / tries;
  const kind = verdict === 'Passed' ? 'rate' : 'rate failed';
  const bar = `<b style="width: ${percent(share)}"></b><i style="left: ${percent(from)}; width: ${percent(to - from)}"></i>`;
  return `<div class="${kind}" role="img" aria-label="${sayPasses(result)}">${bar}</div>${sayPasses(result)}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
