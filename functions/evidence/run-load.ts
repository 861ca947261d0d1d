import type { Answer, Protocol } from '../../domain/evidence/ask.ts';
import { fillerLines } from '../../domain/evidence/cases/filler.ts';
import { type LoadResult, sumUpLoad } from '../../domain/evidence/load-result.ts';
import type { AskOne } from './run-cases.ts';

export interface LoadToRun {
  readonly ask: AskOne;
  readonly protocol: Protocol;
  readonly users: number;
  /** Requests at once of each user: an agent and its subagents. */
  readonly concurrency: number;
  /** Requests one after another in each of them. */
  readonly rounds: number;
  readonly onAnswer: () => void;
}

/** Lines of a prompt: some 1,000 tokens, each prompt with words of its own. */
const promptLines = 40;
const mostTokens = 128;

/** Sends what the users and their agents would send at once, and sums up what came back. */
export async function runLoad({ ask, protocol, users, concurrency, rounds, onAnswer }: LoadToRun): Promise<LoadResult> {
  const answers: Answer[] = [];
  const started = performance.now();
  const lane = async (_: unknown, place: number) => {
    for (let round = 0; round < rounds; round += 1) {
      const text = fillerLines(place * rounds + round, promptLines).join('\n');
      answers.push(await ask(protocol, { prompt: `${text}\n\nSum up what was counted.`, mostTokens }));
      onAnswer();
    }
  };
  await Promise.all(Array.from({ length: users * concurrency }, lane));
  return sumUpLoad({ users, concurrency, answers, totalMillis: performance.now() - started });
}
