import { escapeText, formatHtmlPage } from '../html-page.ts';
import { drawChart } from './draw-chart.ts';
import { printReport } from './print-report.ts';
import type { Report } from './report.ts';

/** A simulation as one page without a script or anything to load: the picture, then the table. */
export function printPage(report: Report): string {
  const title = 'Simulated capacity';
  const styles = `svg { max-width: 100%; height: auto }`;
  const body = `${drawChart(report)}<pre>${escapeText(printReport(report))}</pre>`;
  return formatHtmlPage({ title, width: 70, styles, body });
}
