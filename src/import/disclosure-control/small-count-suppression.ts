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
 * Missing answers are not an option: their number follows from the total. Questions are protected independently. If one
 * question is the sum of others they reveal each other, except for the ranks of a ranking (`suppressLinkedQuestions`).
 * `question-update.ts` protects a question that is published repeatedly.
 */
import { getPublishedWords, type Language } from '../../domain/published-words.ts';
import { disclosureOptions, type FormatOptions, getDefault } from '../format-options.ts';

export interface OptionCount {
  text: string;
  count: number;
}

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
}

const defaultThreshold = getDefault(disclosureOptions.threshold);

/** @returns undefined: counts are published unchanged */
export function createSuppressionRule(
  { threshold, alreadyAnonymised }: FormatOptions,
  language: Language,
): SuppressionRule | undefined {
  if (alreadyAnonymised === true) return undefined;
  return {
    threshold: (threshold as number | undefined) ?? defaultThreshold,
    otherText: getPublishedWords(language).otherAnswers,
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
  /** Options with too few answers belong to several questions, or have more answers in sum than the survey has responses. */
  | { kind: 'not-mergeable' }
  /** The published counts stay until enough new answers arrive. */
  | { kind: 'delayed' }
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
  if (merged === undefined) return { options: [], suppression: { kind: 'withheld' } };
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
 * @returns undefined: even the sum of all items is too small
 */
export function selectSuppressed<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  belongs: (item: Item) => boolean,
  rule: SuppressionRule,
): Set<Item> | undefined {
  const { threshold, isMultipleResponse } = rule;
  const merged = new Set(items.filter((item) => sizeOf(item) < threshold || belongs(item)));
  const sum = () => [...merged].reduce((total, item) => total + sizeOf(item), 0);
  const canOnlyBeJustBelow = () => sum() === merged.size * (threshold - 1);
  const rest = Map.groupBy(
    items.filter((item) => !merged.has(item)),
    sizeOf,
  );
  // Items of equal size are added together, because a choice between them would reveal something.
  for (const [, equals] of [...rest].sort(([a], [b]) => a - b)) {
    if (merged.size > 1 && sum() >= threshold && !canOnlyBeJustBelow()) break;
    for (const next of equals) merged.add(next);
  }
  // If each response chooses one option, the sum may still be one large count and smaller ones. With multiple responses
  // a count cannot exceed the number of responses, so that may be impossible.
  const isRevealing = isMultipleResponse === true && canOnlyBeJustBelow();
  return sum() < threshold || isRevealing ? undefined : merged;
}
