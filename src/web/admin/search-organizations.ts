/** Finds municipalities by a part of their name. */

interface Named {
  name: string;
}

/** Case, accents and umlauts do not matter: `munchen` finds München. */
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** Matches in the order of the input, exact ones first, then names and then words that begin with the term. */
export function searchOrganizations<Organization extends Named>(
  organizations: readonly Organization[],
  term: string,
): Organization[] {
  const wanted = fold(term);
  if (wanted === '') return [...organizations];
  const groups: Organization[][] = [[], [], [], []];
  for (const organization of organizations) {
    const name = fold(organization.name);
    const at = name.indexOf(wanted);
    if (at === -1) continue;
    const rank = name === wanted ? 0 : at === 0 ? 1 : name.includes(` ${wanted}`) ? 2 : 3;
    groups[rank]?.push(organization);
  }
  return groups.flat();
}

/** The only match, or the only exact one. */
export function findOnlyMatch<Organization extends Named>(
  organizations: readonly Organization[],
  term: string,
): Organization | undefined {
  const [first, second] = searchOrganizations(organizations, term);
  const isExact = ({ name }: Named) => fold(name) === fold(term);
  if (first === undefined || second === undefined) return first;
  return isExact(first) && !isExact(second) ? first : undefined;
}
