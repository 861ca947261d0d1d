import { builtInCases, type CaseName, caseNames } from './cases/built-in-cases.ts';

/** Parsers of one call an answer: "parallel tool calls are not supported for Llama 3" (docs.vllm.ai, read 2026-12-02). */
const singleCallParsers = ['llama3_json'];

/** The cases that are tried where the author names none: those that the arguments of the engine allow. */
export function chooseCases(args: readonly string[]): readonly CaseName[] {
  const parser = findParser(args);
  return caseNames.filter((name) => {
    if (!builtInCases[name].callsTools) return true;
    return parser !== undefined && (name !== 'ParallelCalls' || !singleCallParsers.includes(parser));
  });
}

/** The value of --tool-call-parser, in either form of writing it. */
function findParser(args: readonly string[]): string | undefined {
  const flag = '--tool-call-parser';
  const at = args.findIndex((argument) => argument === flag || argument.startsWith(`${flag}=`));
  const found = args[at];
  if (found === undefined) return undefined;
  return found === flag ? args[at + 1] : found.slice(flag.length + 1);
}
