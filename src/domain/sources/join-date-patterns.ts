/** Several date patterns of one column as one text, as forms show it: `ISO | DD.MM.YYYY`. */

export const joinDatePatterns = (patterns: string | readonly string[]): string =>
  [patterns].flat().join(' | ');

/** @returns the pattern, or a list of several. A bar in brackets, and one without blanks around it, belongs to a pattern. */
export function splitDatePatterns(text: string): string | string[] {
  const patterns = text
    .replaceAll(/\[[^\]]*\]?|\s\|\s/g, (part) => (part.startsWith('[') ? part : '\n'))
    .split('\n')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
  return patterns.length > 1 ? patterns : text.trim();
}

/**
 * @param time patterns of a second column with the time of day; undefined for one column
 * @returns the patterns of a column, or of two columns whose cells are joined by a blank
 */
export function combineDatePatterns(date: string, time: string | undefined): string | string[] {
  if (time === undefined) return splitDatePatterns(date);
  const times = [splitDatePatterns(time)].flat();
  const patterns = [splitDatePatterns(date)]
    .flat()
    .flatMap((day) => times.map((each) => `${day === 'ISO' ? 'YYYY-MM-DD' : day} ${each}`));
  return splitDatePatterns(joinDatePatterns(patterns));
}
