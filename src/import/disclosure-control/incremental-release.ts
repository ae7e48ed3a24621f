/**
 * The counts of one question after those that are published. Examples are for a threshold of 10.
 *
 * Whoever keeps what was published can subtract. So every cell of the published table (an option, or what is folded)
 * has to gain nothing or at least the threshold, or the question stays as it is until it does:
 *
 *     published  Bus 40, Bike 25, Other 10
 *     counted    Bus 55, Bike 28, Taxi 14, Horse 8    Bike would tell of 3 people: it waits
 *     counted    Bus 55, Bike 36, Taxi 14, Horse 8    → Bus 55, Bike 36, Other 22
 *
 * Dividing. While a survey goes on a cell may be divided, never united. So the published table, which is all that
 * is remembered, is the finest that was ever shown, and what can be computed from older ones adds up from gains that
 * were checked. What is folded is divided when it gained twice the threshold and an option in it has become large:
 *
 *     published  Bus 40, Bike 25, Other 10
 *     counted    Bus 55, Bike 36, Taxi 25, Horse 12   → Bus 55, Bike 36, Taxi 25, Horse 12
 *
 * At the end nothing can wait: cells that gained too little are united, and from then on the figures stay.
 *
 *     published  Bus 40, Bike 25, Taxi 12
 *     at the end Bus 55, Bike 28, Taxi 24             → Bus 55, Other 52
 *
 * How many responses arrived is told too, and bounds what an option can have gained. Of a question of several choices:
 *
 *     published  Other 21                             which are Taxi 9 and Bus 12
 *     counted    Taxi 21, Bus 24                      after 12 new responses Taxi had 9 or more, Bus 12 or more
 *
 * So 9 and 12 it was, if both were told. What gives away a time when an option was small like that stays as it is. The
 * conditions were found by trying all small tables, two and three after each other, as `survey-anonymity.test.ts` does.
 *
 * A difference of nothing is told: that none of many new responses chose an option.
 */
import {
  isBelowThreshold,
  mergeSmallCounts,
  type OptionCount,
  type PublishedCounts,
  type SuppressionRule,
  selectSuppressed,
  sumCounts,
  suppressSmallCounts,
} from './small-count-suppression.ts';

/** Counts that cannot follow on those that are published; the message is part of a sentence. */
export class InconsistentCountsError extends Error {}

/** What is known of the answers that arrived since the last publication. */
export interface NewResponses {
  /** Responses to the whole survey. */
  count: number;
  /** No more are to come, so nothing can wait for them. */
  isFinal: boolean;
}

/** What is told as one number. */
interface Cell {
  options: OptionCount[];
  /** Whether it is the one of small options. */
  isMerged: boolean;
  /** Answers since it was published. */
  gain: number;
}

/**
 * @param published none: the question had too few answers
 * @throws CountsProblem when answers are gone, or an option is
 */
export function releaseUpdate(
  published: readonly OptionCount[],
  counts: readonly OptionCount[],
  rule: SuppressionRule,
  { count, isFinal }: NewResponses,
): PublishedCounts {
  if (published.length === 0) return releaseFirst(counts, rule, count);
  const cells = compareWithPublished(published, counts, rule.otherText);
  const waiting: PublishedCounts = { options: [...published], suppression: { kind: 'delayed' } };
  if (!cells.some(({ gain }) => isBelowThreshold(gain, rule)))
    return wouldRevealDelay(cells, rule, count) ? waiting : releaseCells(cells, counts, rule, count);
  return isFinal ? (mergeCells(cells, counts, rule, count) ?? waiting) : waiting;
}

/** Of a question that had too few answers to be told: if surely 9 of them are older, it had 9, as that is the most. */
function releaseFirst(counts: readonly OptionCount[], rule: SuppressionRule, more: number): PublishedCounts {
  const surelyOlder = rule.isMultipleResponse
    ? counts.reduce((sum, { count }) => sum + Math.max(0, count - more), 0)
    : sumCounts(counts) - more;
  const isTelling = counts.length > 0 && surelyOlder > rule.threshold - 2;
  return isTelling ? { options: [], suppression: { kind: 'withheld' } } : suppressSmallCounts(counts, rule);
}

/** @throws CountsProblem */
function compareWithPublished(
  published: readonly OptionCount[],
  counts: readonly OptionCount[],
  otherText: string,
): Cell[] {
  const before = new Map(published.map(({ text, count }) => [text, count]));
  const known = new Set(counts.map(({ text }) => text));
  for (const { text } of published) {
    if (text !== otherText && !known.has(text))
      throw new InconsistentCountsError('an option that is published is not in it any more');
  }
  const foldedBefore = before.get(otherText);
  const standsAlone = ({ text }: OptionCount) =>
    foldedBefore === undefined || (before.has(text) && text !== otherText);
  const cells: Cell[] = counts.filter(standsAlone).map((option) => ({
    options: [option],
    isMerged: false,
    gain: option.count - (before.get(option.text) ?? 0),
  }));
  if (foldedBefore !== undefined) {
    const options = counts.filter((option) => !standsAlone(option));
    cells.push({ options, isMerged: true, gain: sumCounts(options) - foldedBefore });
  }
  if (cells.some(({ gain }) => gain < 0))
    throw new InconsistentCountsError('there are fewer answers than are published already');
  return cells;
}

/**
 * Whether the end of a wait would tell what it waited for: while the total went on, a cell had gained little. If of
 * every cell surely 9 answers or more are older than the last responses, it was one of exactly 9.
 */
function wouldRevealDelay(cells: readonly Cell[], rule: SuppressionRule, more: number): boolean {
  const gained = cells.filter(({ gain }) => gain > 0);
  const most = ({ options }: Cell) => (rule.isMultipleResponse ? options.length * more : more);
  return gained.length > 0 && gained.every((cell) => cell.gain - most(cell) > rule.threshold - 2);
}

/** All as it is now; of what was folded, each option that has become large stands alone from here on. */
function releaseCells(
  cells: readonly Cell[],
  counts: readonly OptionCount[],
  rule: SuppressionRule,
  more: number,
): PublishedCounts {
  const cell = cells.find((one) => one.isMerged);
  if (cell === undefined) return { options: [...counts] };
  const standing = counts.filter((option) => !cell.options.includes(option));
  const divided = splitMergedCell(cell, rule, more);
  if (divided === undefined)
    return { options: [...standing, { text: rule.otherText, count: sumCounts(cell.options) }] };
  const { options, suppression } = divided;
  const freed = counts.filter((option) => !cell.options.includes(option) || options.includes(option));
  const rest = options.filter((option) => !cell.options.includes(option));
  return { options: [...freed, ...rest], ...(suppression && { suppression }) };
}

/**
 * What was folded, as several numbers. Options that still nobody chose stay hidden: that they were no part of the sum
 * would tell about the others.
 *
 * @returns undefined: it has to stay one, as it gained little, nothing in it is large, or its parts would tell
 */
function splitMergedCell(
  { options, gain }: Cell,
  rule: SuppressionRule,
  more: number,
): PublishedCounts | undefined {
  if (gain < 2 * rule.threshold) return undefined;
  // Where answers overlap, each option must be possible to have been nobody's before.
  if (rule.isMultipleResponse && options.some(({ count }) => count > more)) return undefined;
  const anyLess = options.some(({ count }) => count < rule.threshold);
  const divided: PublishedCounts = anyLess ? mergeSmallCounts(options, rule) : { options };
  const freed = divided.options.filter((option) => options.includes(option));
  const least = Math.min(...freed.map(({ count }) => count));
  // All of the gain may be the least one's; if it was 9 even so, it was the small one that is known to be there.
  return freed.length === 0 || least - gain > rule.threshold - 2 ? undefined : divided;
}

/** Cells that gained too little, and what hides them, as one. @returns undefined: that would tell about them even so */
function mergeCells(
  cells: readonly Cell[],
  counts: readonly OptionCount[],
  rule: SuppressionRule,
  more: number,
): PublishedCounts | undefined {
  const together = [
    ...(selectSuppressed(
      cells,
      ({ gain }) => gain,
      ({ isMerged }) => isMerged,
      rule,
    ) ?? []),
  ];
  if (together.length === 0) return undefined;
  const options = together.flatMap((cell) => cell.options);
  const gain = together.reduce((sum, cell) => sum + cell.gain, 0);
  // Where answers overlap, each cell must be possible to have gained nothing: the others can have gained it all.
  const couldBeNothing = (cell: Cell) => gain <= (options.length - cell.options.length) * more;
  if (rule.isMultipleResponse && !together.every(couldBeNothing)) return undefined;
  const small = together.filter((cell) => isBelowThreshold(cell.gain, rule)).length;
  return {
    options: [
      ...counts.filter((option) => !options.includes(option)),
      { text: rule.otherText, count: sumCounts(options) },
    ],
    suppression: { kind: 'merged', small, others: together.length - small },
  };
}
