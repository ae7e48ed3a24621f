/**
 * Keeps single people out of the published counts of one question. Examples are for a threshold of 10.
 *
 * Folding. Who is one of four that go by horse may be known by that, so options with fewer answers than the
 * threshold are told as one:
 *
 *     counted    Bus 40, Bike 25, Taxi 6, Horse 4
 *     published  Bus 40, Bike 25, Other 10
 *
 * Options that nobody chose go with them, as one that is left out could be told to be nobody's. Where nothing is
 * small they are published with their 0, which is about nobody.
 *
 * Complementary suppression. What is folded must not be computable from what is left, so the next larger option
 * goes with it where the folded ones
 *
 * - are one alone:                 Bus 40, Bike 25, Taxi 6           → Bus 40, Other 31
 * - add up to less than 10:        Bus 40, Bike 25, Taxi 6, Horse 1  → Bus 40, Other 32
 * - can only be 9 each:            Bus 40, Bike 25, Taxi 9, Horse 9  → Bus 40, Other 43
 *
 * In the last, two counts below 10 that add up to 18 would be 9 and 9. Where no option is left to go with them, as
 * in Taxi 6, Horse 1, the question is published without options.
 *
 * Whoever knows this rule as well can exclude what would have been published otherwise. That even so no small count
 * is left as the only possible one was found out by trying all small tables, as `survey-anonymity.test.ts` does.
 *
 * Not answering is no answer: how many gave none can be computed from the total. Questions are looked at one by one:
 * where one is the sum of others, they tell about each other, but for the ranks of a ranking (`foldAlike`). What follows from two states of one question,
 * published one after the other, is the matter of `steps.ts`.
 */

export interface OptionCount {
  text: string;
  count: number;
}

export interface SuppressionRule {
  /** Fewest answers of an option that are told; up to 1: all are. */
  threshold: number;
  /** Text of the option that the small ones are folded into. An option of the survey itself that is called so belongs to it. */
  otherText: string;
  /**
   * Whether a response may count for several options. Counts do not add up to people then, and no count can be higher
   * than the number of responses, which narrows down what is folded.
   */
  isMultipleResponse?: boolean;
}

export interface PublishedCounts {
  /** None where all answers together are fewer than the threshold, or could be told even so. */
  options: OptionCount[];
  /** What was done, for a person; undefined: nothing. */
  suppression?: Suppression;
}

export type Suppression =
  /** Options with too few answers, and the others that went with them. */
  | { kind: 'merged'; small: number; others: number }
  /** All answers of the question are too few to be told, even together. */
  | { kind: 'withheld' }
  /** Options with too few answers belong to several questions in one, or would count more answers together than there are responses. */
  | { kind: 'not-mergeable' }
  /** The published counts stay until enough answers are there. */
  | { kind: 'delayed' }
  /** Ranks are told when the survey is closed. */
  | { kind: 'until-closed' };

export const isBelowThreshold = (count: number, { threshold }: SuppressionRule) =>
  count > 0 && count < threshold;

export const sumCounts = (counts: readonly OptionCount[]) =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** The counts of one question that is published for the first time, or once. */
export function suppressSmallCounts(counts: readonly OptionCount[], rule: SuppressionRule): PublishedCounts {
  return hasSmallCount(counts, rule) ? mergeSmallCounts(counts, rule) : { options: [...counts] };
}

/**
 * The counts of questions that tell about each other, as the ranks of a ranking do: whoever gave an option rank 2 did
 * not give it rank 1. What is folded in one of them is folded in all.
 *
 *     counted    rank 1: Bus 50, Bike 46, Taxi 4    rank 2: Bus 24, Bike 30, Taxi 46
 *     published  rank 1: Bus 50, Other 50           rank 2: Bus 24, Other 76
 */
export function suppressLinkedQuestions(
  questions: readonly OptionCount[][],
  rule: SuppressionRule,
): PublishedCounts[] {
  const texts = new Set<string>();
  for (let size = -1; size < texts.size; ) {
    size = texts.size;
    for (const counts of questions.filter((each) => size > 0 || hasSmallCount(each, rule)))
      for (const { text } of selectSuppressedOptions(counts, rule, texts) ?? []) texts.add(text);
  }
  return questions.map((counts) =>
    texts.size > 0 || hasSmallCount(counts, rule)
      ? mergeSmallCounts(counts, rule, texts)
      : { options: [...counts] },
  );
}

export const hasSmallCount = (counts: readonly OptionCount[], rule: SuppressionRule) =>
  counts.some(({ count }) => isBelowThreshold(count, rule));

const selectSuppressedOptions = (
  counts: readonly OptionCount[],
  rule: SuppressionRule,
  texts: ReadonlySet<string>,
) =>
  selectSuppressed(
    counts,
    ({ count }) => count,
    ({ text }) => text === rule.otherText || texts.has(text),
    rule,
  );

/** @param texts options that are folded in any case */
export function mergeSmallCounts(
  counts: readonly OptionCount[],
  rule: SuppressionRule,
  texts: ReadonlySet<string> = new Set(),
): PublishedCounts {
  const together = selectSuppressedOptions(counts, rule, texts);
  if (together === undefined) return { options: [], suppression: { kind: 'withheld' } };
  const small = counts.filter(({ count }) => isBelowThreshold(count, rule)).length;
  return {
    options: [
      ...counts.filter((option) => !together.has(option)),
      { text: rule.otherText, count: sumCounts([...together]) },
    ],
    suppression: { kind: 'merged', small, others: together.size - small },
  };
}

/**
 * What has to be told as one number: all that is small, and the complementary suppression that hides it.
 *
 * @param sizeOf answers
 * @param belongs what is told with it in any case
 * @returns undefined: all together is too little
 */
export function selectSuppressed<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  belongs: (item: Item) => boolean,
  rule: SuppressionRule,
): Set<Item> | undefined {
  const { threshold, isMultipleResponse } = rule;
  const together = new Set(items.filter((item) => sizeOf(item) < threshold || belongs(item)));
  const sum = () => [...together].reduce((total, item) => total + sizeOf(item), 0);
  const areAllJustBelow = () => sum() === together.size * (threshold - 1);
  const rest = Map.groupBy(
    items.filter((item) => !together.has(item)),
    sizeOf,
  );
  // Equals go together: which of them was taken would tell something.
  for (const [, equals] of [...rest].sort(([a], [b]) => a - b)) {
    if (together.size > 1 && sum() >= threshold && !areAllJustBelow()) break;
    for (const next of equals) together.add(next);
  }
  // Answers of different people could still be a large option and smaller ones; where they overlap, not always.
  const isTelling = isMultipleResponse === true && areAllJustBelow();
  return sum() < threshold || isTelling ? undefined : together;
}
