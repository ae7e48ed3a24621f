/** Indices as for `slice`. */
export interface TextRange {
  start: number;
  end: number;
}

/** @param ranges in order, without overlap */
export function replaceRanges<Range extends TextRange>(
  text: string,
  ranges: readonly Range[],
  getPlaceholder: (range: Range) => string,
): string {
  if (ranges.length === 0) return text;
  let result = '';
  let from = 0;
  for (const range of ranges) {
    result += text.slice(from, range.start) + getPlaceholder(range);
    from = range.end;
  }
  return result + text.slice(from);
}

/** Not `matchAll`, which compiles the pattern for every text. @param pattern with the flag g */
export function findMatches(text: string, pattern: RegExp): TextRange[] {
  const found: TextRange[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push({ start: match.index, end: match.index + match[0].length });
    if (match[0] === '') pattern.lastIndex += 1;
  }
  return found;
}
