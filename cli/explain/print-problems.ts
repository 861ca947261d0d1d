import type { Problem } from './explain-world.ts';
import { item, section } from './layout.ts';

/** The conditions that refuse something, one sentence each. */
export function printProblems(problems: readonly Problem[], width: number): readonly string[] {
  return section(
    'Refused',
    problems.flatMap(({ object, condition }) => item(`${object} ${condition}`, width)),
  );
}
