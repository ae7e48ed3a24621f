/**
 * Doubles quotation marks that an export has escaped with a backslash, as MySQL and many scripts write them: `"He said \"no\""`.
 * RFC 4180 has no such escapes, and a cell may end with a backslash, so only text behind an escaped mark shows them.
 */

/** Each character is escaped at most once: of `\\"`, the mark ends the cell. */
const marks = /\\[\s\S]?|"/g;

/** Characters behind a mark that decide whether it ends the cell. */
const lookahead = 2;

/**
 * @param texts of a table, in pieces of any length
 * @param head the beginning of the table
 * @param onFound called once, when the first escaped mark is found
 */
export async function* doubleEscapedQuotes(
  texts: AsyncIterable<string>,
  { head, delimiter, onFound }: { head: string; delimiter: string; onFound: () => void },
): AsyncGenerator<string> {
  const isEscaped = createEscapeTest(head, delimiter, onFound);
  let isQuoted = false;
  let held = '';
  /** @returns the text up to a mark whose lookahead is missing */
  const convert = (text: string, isLast: boolean): string => {
    let result = '';
    let from = 0;
    for (const { 0: mark, index } of text.matchAll(marks)) {
      if (!isLast && mark !== '"' && index + mark.length + lookahead > text.length) {
        held = text.slice(index);
        return result + text.slice(from, index);
      }
      if (mark === '"') isQuoted = !isQuoted;
      else if (isQuoted) {
        const replacement = isEscaped(mark, text, index + mark.length);
        if (replacement !== undefined) {
          result += text.slice(from, index) + replacement;
          from = index + mark.length;
        } else if (mark === '\\"') isQuoted = false;
      }
    }
    return result + text.slice(from);
  };
  for await (const text of texts) {
    const piece = held + text;
    held = '';
    if (piece.includes('\\')) yield convert(piece, false);
    else {
      isQuoted = isQuoted !== hasOddQuotes(piece);
      yield piece;
    }
  }
  if (held !== '') yield convert(held, true);
}

/** @returns what a backslash and a character stand for; undefined: themselves */
type ReplaceEscape = (mark: string, text: string, end: number) => string | undefined;

function createEscapeTest(head: string, delimiter: string, onFound: () => void): ReplaceEscape {
  let isFound = false;
  const find = () => {
    if (!isFound) onFound();
    isFound = true;
  };
  const isText = (next: string) => !['', ' ', '"', '\r', '\n', delimiter].includes(next);
  /** Whether text follows a mark, also after a blank: blanks may stand between a cell and the delimiter. */
  const hasTextAt = (text: string, at: number) => isText(text.charAt(at + Number(text[at] === ' ')));
  for (const { 0: mark, index } of head.matchAll(marks))
    if (mark === '\\"' && hasTextAt(head, index + mark.length)) find();
  return (mark, text, end) => {
    if (mark === '\\"' && hasTextAt(text, end)) find();
    if (!isFound) return undefined;
    if (mark === '\\"') return '""';
    return mark === '\\\\' || mark === '\\\n' ? mark.slice(1) : undefined;
  };
}

function hasOddQuotes(text: string): boolean {
  let isOdd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}
