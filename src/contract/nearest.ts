import { closest, distance } from 'fastest-levenshtein';

const longestName = 40;
const farthest = 3;

/** The known name that was probably meant; undefined where none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName || known.length === 0) return undefined;
  const found = closest(name, known);
  return distance(name, found) <= farthest ? found : undefined;
}
