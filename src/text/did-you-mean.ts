import { closest, distance } from 'fastest-levenshtein';

const longestName = 40;

/**
 * The known name that was probably meant; undefined where none is near.
 *
 * @param farthest most letters that are to be changed, added or left out
 */
export function didYouMean(name: string, known: readonly string[], farthest = 3): string | undefined {
  if (name.length > longestName || known.length === 0) return undefined;
  const found = closest(name, known);
  return distance(name, found) <= farthest ? found : undefined;
}
