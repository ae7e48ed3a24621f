import { closest, distance } from 'fastest-levenshtein';

const maxNameLength = 40;

/**
 * The known name that was probably meant; undefined where none is near.
 *
 * @param maxDistance most letters that are to be changed, added or left out
 */
export function didYouMean(name: string, known: readonly string[], maxDistance = 3): string | undefined {
  if (name.length > maxNameLength || known.length === 0) return undefined;
  const found = closest(name, known);
  return distance(name, found) <= maxDistance ? found : undefined;
}
