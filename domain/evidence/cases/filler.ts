import { chooseDigits, chooseNames } from './chosen-words.ts';

/** Lines of a long text, each with words and numbers of its own; how many tokens one has is measured on the endpoint. */
export function fillerLines(seed: number, count: number): readonly string[] {
  const names = chooseNames(seed, 256);
  return Array.from({ length: count }, (_, index) => {
    const crates = chooseDigits(seed * 31 + index, 3);
    return `Shelf ${index + 1}: ${names[index % names.length]} counted ${crates} crates and signed the sheet.`;
  });
}

/** Tokens of one line where nothing was measured: of a vocabulary that splits names into three parts. */
export const usualTokensPerLine = 24;

/** Lines by which the tokens of one are measured. */
export const measuredLines = 64;
