import { drawChart } from './draw-chart.ts';
import { printReport } from './print-report.ts';
import type { Report } from './report.ts';

/** A simulation as one page without a script or anything to load: the picture, then the table. */
export function printPage(report: Report): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Simulated capacity</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1c2329 }
svg { max-width: 100%; height: auto }
pre { overflow-x: auto; background: #f4f6f8; padding: 1rem }
</style>
</head>
<body>
<h1>Simulated capacity</h1>
${drawChart(report)}<pre>${escapeText(printReport(report))}</pre>
</body>
</html>
`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
