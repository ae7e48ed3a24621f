import { closest, distance } from 'fastest-levenshtein';

const maxInputLength = 40;

/**
 * Finds the known name that a misspelling probably stands for.
 *
 * @param maxDistance in changed, added or missing letters
 */
export function didYouMean(name: string, known: readonly string[], maxDistance = 3): string | undefined {
  if (name.length > maxInputLength || known.length === 0) return undefined;
  const found = closest(name, known);
  return distance(name, found) <= maxDistance ? found : undefined;
}

/** @returns a question to append to a sentence; an empty text if no known name is near */
export function suggestName(name: string, known: readonly string[]): string {
  const near = didYouMean(name, known);
  return near === undefined ? '' : ` Did you mean "${near}"?`;
}
