/** Different entries that are counted: a column of free text can have a different value in each row. */
const maxEntries = 1_000;

/** Counts equal entries. @param toKey equal entries have equal keys */
export function createCounter<Entry extends object>(toKey = (entry: Entry): string => JSON.stringify(entry)) {
  const counted = new Map<string, Entry & { count: number }>();
  return {
    add: (entry: Entry): void => {
      const key = toKey(entry);
      const known = counted.get(key);
      if (known !== undefined) known.count += 1;
      else if (counted.size < maxEntries) counted.set(key, { ...entry, count: 1 });
    },
    /** In the order in which they were first added. */
    list: () => [...counted.values()],
  };
}
