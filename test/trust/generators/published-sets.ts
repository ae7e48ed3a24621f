/**
 * What follows from published counts of people. Each count is a number of answers to one question: of the people who chose an
 * option, in a part of the population. If one of two such sets of people contains the other, their difference follows.
 */

/** People with an answer to a question, as parts that do not overlap, such as `Ja of batch 2 in Nord`. */
export type PeopleSet = ReadonlySet<string>;

export interface PublishedSet {
  question: string;
  people: PeopleSet;
  count: number;
}

const toKey = (people: PeopleSet) => [...people].sort().join('|');

/** Differences of differences: more than anybody has been seen to compute. */
const rounds = 2;
const maxSets = 400;

/** @returns the numbers below the threshold that follow from the published ones, with the people whom they count */
export function* findSmallSets(
  published: readonly PublishedSet[],
  threshold: number,
): Generator<PublishedSet> {
  for (const [question, sets] of Map.groupBy(published, (set) => set.question)) {
    const known = new Map<string, PublishedSet>(sets.map((set) => [toKey(set.people), set]));
    for (let round = 0; round < rounds; round += 1) {
      const present = [...known.values()].slice(0, maxSets);
      for (const whole of present)
        for (const part of present) {
          if (part.people.size >= whole.people.size || !part.people.isSubsetOf(whole.people)) continue;
          const people = whole.people.difference(part.people);
          const key = toKey(people);
          if (!known.has(key)) known.set(key, { question, people, count: whole.count - part.count });
        }
    }
    for (const set of known.values()) if (set.count > 0 && set.count < threshold) yield set;
  }
}
