/**
 * Words, names and patterns of a municipality that imports replace in published texts. One on each line: a word or a name as
 * it is, or a pattern with its name, such as `Customer number = /K-\d{6}/`.
 */

/** Characters of all lines. */
const maxLength = 20_000;
const maxLines = 1_000;

const patternLine = /^(\p{L}[\p{L} -]{0,39}) = \/(.+)\/$/u;

export interface RedactionTerms {
  /** Words and names as they are listed. */
  words: readonly string[];
  /** With their names. Several can have the same name. */
  patterns: readonly (readonly [name: string, pattern: RegExp])[];
}

/** @returns the number of the first invalid line, 0 if there is too much text; undefined: valid */
export function findInvalidLine(text: string): number | undefined {
  const lines = text.split('\n');
  if (text.length > maxLength || lines.length > maxLines) return 0;
  const index = lines.findIndex((line) => !isValid(line.trim()));
  return index < 0 ? undefined : index + 1;
}

/** @returns the end of a sentence that says what a text must be; empty without an invalid line */
export function describeInvalidLine(text: string): string {
  const line = findInvalidLine(text);
  if (line === 0) return ` (at most ${maxLines} lines and ${maxLength} characters)`;
  return line === undefined ? '' : `; line ${line} is invalid`;
}

function isValid(line: string): boolean {
  const [, , pattern] = patternLine.exec(line) ?? [];
  if (pattern !== undefined) return compile(pattern)?.test('') === false;
  // A single letter would be replaced in every text. A pattern needs a name.
  return line === '' || (line.length > 1 && !line.includes('\0') && !/^\/.+\/$/.test(line));
}

function compile(pattern: string): RegExp | undefined {
  try {
    const expression = new RegExp(pattern, 'gu');
    // V8 compiles an expression with its first use, and rejects one that is too large only then.
    ''.search(expression);
    return expression;
  } catch {
    return undefined;
  }
}

/** @returns the stored form; undefined if a line is invalid */
export function parseRedactionTerms(text: string): string | undefined {
  const lines = text
    .normalize('NFC')
    .split(/\r?\n/)
    .map((line) => line.trim());
  const stored = lines.filter((line) => line !== '').join('\n');
  return stored === '' || findInvalidLine(stored) !== undefined ? undefined : stored;
}

/** @param text as `parseRedactionTerms` returns it; null: none */
export function compileRedactionTerms(text: string | null): RedactionTerms {
  const words: string[] = [];
  const patterns: [string, RegExp][] = [];
  for (const line of text?.split('\n') ?? []) {
    const [, name, pattern] = patternLine.exec(line) ?? [];
    const compiled = pattern === undefined ? undefined : compile(pattern);
    if (name === undefined || compiled === undefined) words.push(line);
    else patterns.push([name, compiled]);
  }
  return { words, patterns };
}
