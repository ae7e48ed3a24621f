/** A pseudo-random generator with the same sequence on every machine: it uses integer arithmetic only. */

export interface Random {
  /** At least 0, below 1. */
  nextFraction(): number;
  /** Inclusive of both bounds. */
  nextInteger(lowest: number, highest: number): number;
  nextBoolean(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Picks a key of `weights` with a probability proportional to its weight. */
  pickWeighted<Word extends string>(weights: Readonly<Record<Word, number>>): Word;
  /** @returns a new array */
  shuffle<Item>(items: readonly Item[]): Item[];
}

/** The generator mulberry32. Its 32 bits of state suffice, because the data is not secret. */
export function createRandom(seed: number): Random {
  let state = seed;

  const nextFraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const nextInteger = (lowest: number, highest: number) =>
    lowest + Math.floor(nextFraction() * (highest - lowest + 1));

  return {
    nextFraction,
    nextInteger,
    nextBoolean: (probability) => nextFraction() < probability,
    pick: <Item>(items: readonly Item[]) => items[nextInteger(0, items.length - 1)] as Item,
    pickWeighted: <Word extends string>(weights: Readonly<Record<Word, number>>) => {
      const entries = Object.entries(weights) as [Word, number][];
      let left = nextFraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [word, weight] of entries) {
        left -= weight;
        if (left < 0) return word;
      }
      return (entries.at(-1) as [Word, number])[0];
    },
    shuffle: (items) => {
      const result = [...items];
      for (let last = result.length - 1; last > 0; last--) {
        const other = nextInteger(0, last);
        [result[last], result[other]] = [result[other] as never, result[last] as never];
      }
      return result;
    },
  };
}
