import type { Answer, Tool } from '../ask.ts';
import { failed, type Grade, passed, readFirstCall } from '../grade.ts';
import type { EvidenceCase } from './case.ts';
import { chooseDigits, chooseNames } from './chosen-words.ts';

const saveFile: Tool = {
  name: 'save_file',
  description: 'Saves a text file.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where to save it.' },
      content: { type: 'string', description: 'The whole text, unchanged.' },
    },
    required: ['path', 'content'],
  },
};

/** Lines of the file: what a coding agent writes, with the quotes, braces and line ends that JSON must escape. */
const lineCount = 24;

/** Calls a tool with a long text that must arrive whole: escapes and parts that are put together are where parsers fail. */
export const longArguments: EvidenceCase = {
  name: 'LongArguments',
  proves: 'carries a long argument unchanged',
  length: 'Short',
  needsTokens: 1200,
  callsTools: true,
  protocols: ['OpenAI', 'Anthropic'],
  prepare: (tryNumber) => {
    const path = `notes/${chooseDigits(tryNumber, 4)}.json`;
    const content = chooseNames(tryNumber + 500, lineCount)
      .map((name, index) => `{"line": ${index + 1}, "name": "${name}", "path": "c:\\\\${index}"}`)
      .join('\n');
    const prompt = `Save exactly the lines between the marks as ${path}, unchanged. Call the tool.\n\n<<<\n${content}\n>>>`;
    return {
      ask: { prompt, tools: [saveFile], mostTokens: 3072 },
      grade: (answer) => gradeContent(answer, content),
    };
  },
};

function gradeContent(answer: Answer, content: string): Grade {
  const read = readFirstCall(answer, saveFile);
  if (!read.read) return read.failed;
  const saved = typeof read.values.content === 'string' ? read.values.content.trim() : '';
  if (saved === content) return passed;
  const [wanted, found] = [content.split('\n'), saved.split('\n')];
  const at = wanted.findIndex((line, index) => found[index] !== line);
  return failed('ArgumentsDiffer', `line ${at + 1}: ${found[at] ?? saved.slice(-80)}`, wanted[at] ?? 'the end');
}
