/**
 * Protects individuals in the counts of one question. The examples use a threshold of 10.
 *
 * Primary suppression (threshold rule). Four people who go by horse may be known in their town, so an option with fewer
 * answers than the threshold reveals who gave them. All such options are merged into one:
 *
 *     counted    Bus 40, Bike 25, Taxi 6, Horse 4
 *     published  Bus 40, Bike 25, Other 10
 *
 * Options without answers are merged, too, because a missing option would reveal that nobody chose it. In a question
 * without small counts they are published as 0, which concerns nobody.
 *
 * Secondary suppression. The small counts must not be computable from the published ones. Therefore the next larger
 * option is merged as well if the merged options
 *
 * - are only one option:           Bus 40, Bike 25, Taxi 6           → Bus 40, Other 31
 * - have fewer than 10 answers:    Bus 40, Bike 25, Taxi 6, Horse 1  → Bus 40, Other 32
 * - can only have 9 answers each:  Bus 40, Bike 25, Taxi 9, Horse 9  → Bus 40, Other 43
 *
 * In the last example, two counts below 10 with a sum of 18 must both be 9. If no option is left to be merged, as in
 * Taxi 6, Horse 1, the question is published without options.
 *
 * An attacker who knows this rule can exclude all counts that it would have published differently. Even so, no small
 * count is the only possible one: `survey-anonymity.test.ts` tries all small tables.
 *
 * Missing answers are not an option: their number follows from the total.
 *
 * Linked questions. The questions of a survey reveal counts of each other: the people who were not asked are the same in
 * all rows of an array, and those who answered No to the question before it. A reader subtracts their number:
 *
 *     filter     Yes 120, No 80
 *     counted    Often 119, Seldom 1, Not asked 80
 *     merged     Often 119, Other 81    81 − 80 = 1
 *
 * Which option is known from elsewhere cannot be decided by equal counts, because the decision would reveal that counts are
 * equal. Therefore any large option may be known (`maxKnownOptions`): the merged options without the largest one must still be
 * at least two with 10 answers that cannot all be 9. Options without answers are known everywhere, and protect no other.
 *
 *     counted    Bus 40, Bike 25, Taxi 6            → no options
 *     counted    Bus 40, Bike 25, Taxi 6, Horse 4   → Bus 40, Bike 25, Other 10
 *     counted    Walk 60, Bus 40, Bike 25, Taxi 6   → Walk 60, Other 71
 *
 * A question all of whose options would be merged is published without options. The ranks of a ranking depend on each other even
 * more (`suppressLinkedQuestions`). `question-update.ts` protects a question that is published repeatedly.
 */
import { getPlaceholderWords, type Language } from '../../../domain/organizations/placeholder-words.ts';
import { disclosureOptions, type FormatOptions, getDefault } from '../../format-options.ts';
import type { OptionCount } from '../../records/counted-survey.ts';

export interface SuppressionRule {
  /** Smallest published count. Up to 1, all counts are published. */
  threshold: number;
  /** Text of the merged option. An option of the survey with this text is merged, too. */
  otherText: string;
  /**
   * Whether a response may choose several options. Then counts do not add up to people, and no count exceeds the number
   * of responses, which limits the possible values of merged counts.
   */
  isMultipleResponse?: boolean;
  /** Whether a question is published although everyone gave the same answer. */
  publishUnanimous?: boolean;
  /** Options of a question whose counts readers may know from other questions; default: none. */
  maxKnownOptions?: number;
  /** Smallest sum of merged options; default: the threshold. */
  minMergedSum?: number;
}

const defaultThreshold = getDefault(disclosureOptions.threshold);

/** @returns undefined: counts are published unchanged */
export function createSuppressionRule(
  { threshold, publishUnanimous, alreadyAnonymised }: FormatOptions,
  language: Language,
): SuppressionRule | undefined {
  if (alreadyAnonymised === true) return undefined;
  return {
    threshold: (threshold as number | undefined) ?? defaultThreshold,
    otherText: getPlaceholderWords(language).otherAnswers,
    publishUnanimous: publishUnanimous === true,
  };
}

export interface PublishedCounts {
  /** Empty if even the sum of all answers is too small, or would reveal small counts. */
  options: OptionCount[];
  /** undefined: all counts are published. */
  suppression?: Suppression;
}

export type Suppression =
  /** Numbers of options that were merged: those with too few answers, and those for secondary suppression. */
  | { kind: 'merged'; small: number; others: number }
  /** The sum of all answers is below the threshold. */
  | { kind: 'withheld' }
  /**
   * Options with too few answers belong to several questions, have more answers in sum than the survey has responses, or leave
   * no option that would not be merged.
   */
  | { kind: 'not-mergeable' }
  /** Everyone gave the same answer. */
  | { kind: 'unanimous' }
  /** The published counts stay until enough new answers arrive. */
  | { kind: 'delayed' }
  /** Published for the first time when no other question keeps older figures. */
  | { kind: 'until-update' }
  /** Ranks are published when the survey is closed. */
  | { kind: 'until-closed' };

export const isBelowThreshold = (count: number, { threshold }: SuppressionRule) =>
  count > 0 && count < threshold;

export const sumCounts = (counts: readonly OptionCount[]) =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** The counts of one question without published counts. */
export function suppressSmallCounts(counts: readonly OptionCount[], rule: SuppressionRule): PublishedCounts {
  return hasSmallCount(counts, rule) ? mergeSmallCounts(counts, rule) : { options: [...counts] };
}

/**
 * Linked questions, such as the ranks of a ranking, reveal each other: a person who gave an option rank 2 did not give
 * it rank 1. Therefore options that are merged in one question are merged in all of them.
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

/** @param texts options that are merged in any case */
export function mergeSmallCounts(
  counts: readonly OptionCount[],
  rule: SuppressionRule,
  texts: ReadonlySet<string> = new Set(),
): PublishedCounts {
  const merged = selectSuppressedOptions(counts, rule, texts);
  if (merged === undefined)
    return {
      options: [],
      suppression: { kind: sumCounts(counts) < rule.threshold ? 'withheld' : 'not-mergeable' },
    };
  const small = counts.filter(({ count }) => isBelowThreshold(count, rule)).length;
  return {
    options: [
      ...counts.filter((option) => !merged.has(option)),
      { text: rule.otherText, count: sumCounts([...merged]) },
    ],
    suppression: { kind: 'merged', small, others: merged.size - small },
  };
}

/**
 * Selects the items to be merged into one number: primary and secondary suppression.
 *
 * @param sizeOf number of answers
 * @param belongs whether an item is merged in any case
 * @param countOthers number of options in an item except one
 * @returns undefined: even the sum of all items is too small
 */
export function selectSuppressed<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  belongs: (item: Item) => boolean,
  rule: SuppressionRule,
  countOthers: (item: Item) => number = () => 0,
): Set<Item> | undefined {
  const { threshold, isMultipleResponse, maxKnownOptions = 0 } = rule;
  const merged = new Set(items.filter((item) => sizeOf(item) < threshold || belongs(item)));
  const listSizes = () => [...merged].map(sizeOf);
  const isSafe = () => areSafe(listSizes(), rule, sumSizes([...merged].map(countOthers)));
  const rest = Map.groupBy(
    items.filter((item) => !merged.has(item)),
    sizeOf,
  );
  // Items of equal size are added together, because a choice between them would reveal something.
  for (const [, equals] of [...rest].sort(([a], [b]) => a - b)) {
    if (isSafe()) break;
    for (const next of equals) merged.add(next);
  }
  // The sum of all options would show no result, and that they have passed this check.
  if (maxKnownOptions > 0) return isSafe() && merged.size < items.length ? merged : undefined;
  const sum = sumSizes(listSizes());
  // If each response chooses one option, the sum may still be one large count and smaller ones. With multiple responses
  // a count cannot exceed the number of responses, so that may be impossible.
  const isRevealing = isMultipleResponse === true && canOnlyBeJustBelow(sum, merged.size, rule);
  return sum < threshold || isRevealing ? undefined : merged;
}

const sumSizes = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);

const canOnlyBeJustBelow = (sum: number, items: number, { threshold }: SuppressionRule) =>
  sum === items * (threshold - 1);

/**
 * Whether the sum of merged items hides each of them, also if the largest options are known.
 *
 * @param others number of options in them except one of each; these stay unknown
 */
function areSafe(sizes: readonly number[], rule: SuppressionRule, others: number): boolean {
  const { threshold, minMergedSum = threshold, maxKnownOptions = 0 } = rule;
  const unknown = maxKnownOptions === 0 ? [...sizes] : sizes.filter((size) => size > 0);
  for (let known = 0; ; known += 1) {
    const sum = sumSizes(unknown);
    const count = unknown.length + others;
    if (count < 2 || sum < minMergedSum || canOnlyBeJustBelow(sum, count, rule)) return false;
    const largest = unknown.indexOf(Math.max(...unknown));
    if (known === maxKnownOptions || (unknown[largest] ?? 0) < threshold) return true;
    unknown.splice(largest, 1);
  }
}
