/** Numbers columns of the same name, as in exports whose headings are full question texts. */

/** @returns different names: the second `Text` becomes `Text (2)` */
export function numberRepeatedNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = (counts.get(name) ?? 0) + 1;
    while (count > 1 && taken.has(getRepeatedName(name, count))) count += 1;
    counts.set(name, count);
    const numbered = getRepeatedName(name, count);
    taken.add(numbered);
    return numbered;
  });
}

/** @param count 1 for the first column of the name */
export const getRepeatedName = (name: string, count: number): string =>
  count === 1 ? name : `${name} (${count})`;

/** @returns the name before it was numbered */
export const getGivenName = (name: string): string => name.replace(/ \(\d{1,4}\)$/, '');
