import type { Explanation } from './explain-world.ts';
import { item, paragraph, section } from './layout.ts';
import { printDeployment } from './print-deployment.ts';
import { printProblems } from './print-problems.ts';
import { printService } from './print-service.ts';
import { sayUnknownName } from './suggest-names.ts';

/** Columns below which the text is not squeezed further. */
const leastWidth = 40;

/** An explanation as text, wrapped at a width and without colour. */
export function printExplanation(explanation: Explanation, columns: number): string {
  const width = Math.max(leastWidth, columns);
  const { deployments, services, unknownNames, problems, settled } = explanation;
  const names = unknownNames.flatMap((name) => item(sayUnknownName(name), width));
  const blocks = [
    section('Names of nothing that exists', names).slice(1),
    printProblems(problems, width).slice(1),
    ...deployments.map((deployment) => printDeployment(deployment, width)),
    ...services.map((service) => printService(service, width)),
    paragraph(footer(settled), width),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function footer(settled: boolean): string {
  const end = settled ? '' : 'Not settled: the last round still changed something; ';
  return `${end}Assumed: every optional part of the cluster is installed`;
}
