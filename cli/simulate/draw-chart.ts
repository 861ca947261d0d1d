import type { PolicyName } from './policies/policy.ts';
import type { Report } from './report.ts';

const size = { width: 760, height: 400, left: 60, right: 180, top: 30, bottom: 50 };
const colours: Readonly<Record<PolicyName, string>> = {
  ours: '#3b6ea5',
  'one-shape': '#8a8a8a',
  'sequential-retry': '#e0a030',
  'weighted-pools': '#3f9a5f',
  'blocklist-failover': '#b05f9e',
};
/** Minutes that the axis begins with: nobody serves sooner. */
const firstMinute = 5;
const ticks: readonly (readonly [number, string])[] = [
  [5, '5 min'],
  [10, '10 min'],
  [20, '20 min'],
  [60, '1 h'],
  [180, '3 h'],
  [360, '6 h'],
  [720, '12 h'],
  [1440, '24 h'],
];

/** The share of worlds that are served after so many minutes, a line for each policy, as SVG. */
export function drawChart({ details, horizonMinutes, worlds }: Report): string {
  const { width, height, left, right, top, bottom } = size;
  const x = (minutes: number) => {
    const share = Math.log(Math.max(minutes, firstMinute) / firstMinute) / Math.log(horizonMinutes / firstMinute);
    return left + share * (width - left - right);
  };
  const y = (share: number) => height - bottom - share * (height - top - bottom);
  const grid = [
    ...[0, 0.25, 0.5, 0.75, 1].map(
      (share) =>
        `<line x1="${left}" x2="${width - right}" y1="${round(y(share))}" y2="${round(y(share))}" stroke="#d8dde2"/><text x="${left - 8}" y="${round(y(share) + 4)}" text-anchor="end">${share * 100}%</text>`,
    ),
    ...ticks
      .filter(([minutes]) => minutes <= horizonMinutes)
      .map(
        ([minutes, text]) =>
          `<text x="${round(x(minutes))}" y="${height - bottom + 20}" text-anchor="middle">${text}</text>`,
      ),
  ];
  const lines = details.map(({ policy, times }, index) => {
    const at = (minutes: number) => times.filter((time) => time <= minutes && time < horizonMinutes).length / worlds;
    const moments = [...new Set([firstMinute, ...times.filter((time) => time < horizonMinutes), horizonMinutes])].sort(
      (a, b) => a - b,
    );
    const path = moments.map((minutes, step) =>
      step === 0 ? `M${round(x(minutes))} ${round(y(at(minutes)))}` : `H${round(x(minutes))}V${round(y(at(minutes)))}`,
    );
    const row = top + 16 + index * 22;
    const key = `<line x1="${width - right + 20}" x2="${width - right + 44}" y1="${row - 4}" y2="${row - 4}" stroke="${colours[policy]}" stroke-width="3"/><text x="${width - right + 50}" y="${row}">${policy}</text>`;
    return `<path d="${path.join('')}" fill="none" stroke="${colours[policy]}" stroke-width="${policy === 'ours' ? 3 : 1.5}"/>${key}`;
  });
  const title = `Share of ${worlds} worlds that are served, by time since the claim`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}" font-family="system-ui, sans-serif" font-size="12" fill="#1c2329">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${left}" y="18" font-size="14">${title}</text>`,
    ...grid,
    // Ours is drawn last, so that it lies above the others.
    ...lines.reverse(),
    '</svg>',
    '',
  ].join('\n');
}

function round(value: number): string {
  return value.toFixed(1);
}
