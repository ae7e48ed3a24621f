/** Numbers columns of the same name, as in exports whose headings are full question texts. */

/** @returns different names: the second `Text` becomes `Text (2)` */
export function numberRepeatedNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = (counts.get(name) ?? 0) + 1;
    while (count > 1 && taken.has(`${name} (${count})`)) count += 1;
    counts.set(name, count);
    if (count === 1) return name;
    taken.add(`${name} (${count})`);
    return `${name} (${count})`;
  });
}

/** @returns the name before it was numbered */
export const getGivenName = (name: string): string => name.replace(/ \(\d{1,4}\)$/, '');
