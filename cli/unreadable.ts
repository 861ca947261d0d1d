/** Thrown for input that the user must correct before anything can be said; the command ends with exit code 2. */
export class UnreadableInput extends Error {}
