/** @returns the entries in their order, in lists of `size` entries; the last one may be shorter */
export function* splitIntoChunks<Entry>(entries: readonly Entry[], size: number): Generator<Entry[]> {
  for (let from = 0; from < entries.length; from += size) yield entries.slice(from, from + size);
}
