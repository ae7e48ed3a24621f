/**
 * Protects the counts of one question that is published repeatedly. The examples use a threshold of 10.
 *
 * Differencing attack. A reader who keeps every release can subtract one from the next. Therefore each cell of the
 * published table (an option, or the merged options) must gain either no answer or at least as many as the threshold.
 * Until then the question keeps its published counts:
 *
 *     published  Bus 40, Bike 25, Other 10
 *     counted    Bus 55, Bike 28, Taxi 14, Horse 8    unchanged: the difference would reveal 3 people (Bike)
 *     counted    Bus 55, Bike 36, Taxi 14, Horse 8    → Bus 55, Bike 36, Other 22
 *
 * Splitting. While a survey is active, a cell may be split, but cells are never merged. So the published table is always
 * the finest one so far, and needs no history: every difference between older tables is a sum of gains that were
 * checked. The merged cell is split when it gained twice the threshold and contains an option that is large now:
 *
 *     published  Bus 40, Bike 25, Other 10
 *     counted    Bus 55, Bike 36, Taxi 25, Horse 12   → Bus 55, Bike 36, Taxi 25, Horse 12
 *
 * When the survey is closed, no further answers are expected. Cells that gained too few answers are merged, and from
 * then on the counts never change, also after the survey was a draft or removed:
 *
 *     published  Bus 40, Bike 25, Taxi 12
 *     at the end Bus 55, Bike 28, Taxi 24             → Bus 55, Other 52
 *
 * The number of new responses is published as well, and limits the possible gain of an option. For a multiple-choice
 * question:
 *
 *     published  Other 21                             that is Taxi 9 and Bus 12
 *     counted    Taxi 21, Bus 24                      after 12 new responses, Taxi had at least 9, Bus at least 12
 *
 * A release of both counts would prove that they were 9 and 12. Counts that would prove an earlier small count stay
 * unchanged. The conditions were found by trying all small tables in sequences of two and three, as
 * `survey-anonymity.test.ts` does.
 *
 * A gain of zero is published: none of many new responses chose the option.
 *
 * Linked questions. Readers may know the gain of one merged option from another question (`maxKnownOptions`). Its earlier count
 * is not stored, so it may have gained all that it has. Therefore merged options must gain 10 more than the largest of them has:
 *
 *     published  Walk 60, Other 71                    that is Taxi 6, Bike 25 and Bus 40
 *     counted    Walk 80, Taxi 7, Bike 25, Bus 70     unchanged: Bus may be known, and the rest gained 1
 *     counted    Walk 80, Taxi 20, Bike 70, Bus 80    → Walk 80, Taxi 20, Bike 70, Bus 80
 */

import type { OptionCount } from '../../records/counted-survey.ts';
import {
  isBelowThreshold,
  mergeSmallCounts,
  type PublishedCounts,
  type SuppressionRule,
  selectSuppressed,
  sumCounts,
  suppressSmallCounts,
} from './small-count-suppression.ts';

/** The counts contradict the published ones. The message is part of a sentence. */
export class InconsistentCountsError extends Error {
  readonly code: 'survey-lost-option' | 'survey-lost-answers';

  constructor(code: InconsistentCountsError['code']) {
    super(code);
    this.code = code;
  }
}

/** The responses since the last release. */
export interface NewResponses {
  /** Of the whole survey. */
  count: number;
  /** Whether merged options may be published alone; default: true. */
  maySplit?: boolean;
  /** Whether the question may have waited for another one, so that its release proves no small gain. */
  waitsForOthers?: boolean;
  /** No further responses are expected, so no count can be delayed. */
  isFinal: boolean;
}

/** The options of one published number. */
interface Cell {
  options: OptionCount[];
  /** Whether it contains the merged options. */
  isMerged: boolean;
  /** Answers since the last release. */
  gain: number;
}

/**
 * @param published empty: the question was withheld
 * @throws InconsistentCountsError if answers or options are missing
 */
export function updateQuestion(
  published: readonly OptionCount[],
  counts: readonly OptionCount[],
  rule: SuppressionRule,
  { count, isFinal, maySplit = true, waitsForOthers }: NewResponses,
): PublishedCounts {
  if (published.length === 0) return releaseWithheldQuestion(counts, rule, count);
  const cells = compareWithPublished(published, counts, rule.otherText);
  const delayed: PublishedCounts = { options: [...published], suppression: { kind: 'delayed' } };
  if (!cells.some((cell) => isSmallGain(cell, rule)))
    return !waitsForOthers && wouldRevealDelay(cells, rule, count)
      ? delayed
      : releaseCells(cells, counts, rule, maySplit ? count : undefined);
  return isFinal ? (mergeCells(cells, counts, rule, count) ?? delayed) : delayed;
}

/** Whether the options of a cell, or all but those that readers may know, gained too few answers. */
function isSmallGain({ options, isMerged, gain }: Cell, rule: SuppressionRule): boolean {
  if (!isMerged || gain === 0) return isBelowThreshold(gain, rule);
  const known = options
    .map(({ count }) => count)
    .sort((a, b) => b - a)
    .slice(0, rule.maxKnownOptions ?? 0);
  return gain < rule.threshold + known.reduce((sum, count) => sum + count, 0);
}

/** A withheld question had at most 9 answers. If at least 9 answers are certainly older, it had exactly 9. */
function releaseWithheldQuestion(
  counts: readonly OptionCount[],
  rule: SuppressionRule,
  newResponses: number,
): PublishedCounts {
  // A linked question may also have been withheld because its small options had too few answers. A small sum of the same
  // options would limit how few.
  if (rule.maxKnownOptions !== undefined)
    return suppressSmallCounts(counts, {
      ...rule,
      minMergedSum: (1 + rule.maxKnownOptions) * rule.threshold,
    });
  const minOlderAnswers = rule.isMultipleResponse
    ? counts.reduce((sum, { count }) => sum + Math.max(0, count - newResponses), 0)
    : sumCounts(counts) - newResponses;
  const isRevealing = counts.length > 0 && minOlderAnswers > rule.threshold - 2;
  return isRevealing ? { options: [], suppression: { kind: 'withheld' } } : suppressSmallCounts(counts, rule);
}

/** @throws InconsistentCountsError */
function compareWithPublished(
  published: readonly OptionCount[],
  counts: readonly OptionCount[],
  otherText: string,
): Cell[] {
  const before = new Map(published.map(({ text, count }) => [text, count]));
  const known = new Set(counts.map(({ text }) => text));
  for (const { text } of published) {
    if (text !== otherText && !known.has(text)) throw new InconsistentCountsError('survey-lost-option');
  }
  const mergedBefore = before.get(otherText);
  const isPublishedAlone = ({ text }: OptionCount) =>
    mergedBefore === undefined || (before.has(text) && text !== otherText);
  const cells: Cell[] = counts.filter(isPublishedAlone).map((option) => ({
    options: [option],
    isMerged: false,
    gain: option.count - (before.get(option.text) ?? 0),
  }));
  if (mergedBefore !== undefined) {
    const options = counts.filter((option) => !isPublishedAlone(option));
    cells.push({ options, isMerged: true, gain: sumCounts(options) - mergedBefore });
  }
  if (cells.some(({ gain }) => gain < 0)) throw new InconsistentCountsError('survey-lost-answers');
  return cells;
}

/**
 * Whether a release now would reveal the reason for the delay before it: one cell had gained too few answers. If every
 * cell had certainly gained 9 or more before the newest responses, one cell must have gained exactly 9.
 */
function wouldRevealDelay(cells: readonly Cell[], rule: SuppressionRule, newResponses: number): boolean {
  const gained = cells.filter(({ gain }) => gain > 0);
  const maxNewAnswers = ({ options }: Cell) =>
    rule.isMultipleResponse ? options.length * newResponses : newResponses;
  return gained.length > 0 && gained.every((cell) => cell.gain - maxNewAnswers(cell) > rule.threshold - 2);
}

/**
 * Publishes all counts. Options of the merged cell that are large now become cells of their own.
 *
 * @param newResponses undefined: they stay merged
 */
function releaseCells(
  cells: readonly Cell[],
  counts: readonly OptionCount[],
  rule: SuppressionRule,
  newResponses: number | undefined,
): PublishedCounts {
  const cell = cells.find(({ isMerged }) => isMerged);
  if (cell === undefined) return { options: [...counts] };
  const unmerged = counts.filter((option) => !cell.options.includes(option));
  const split = newResponses === undefined ? undefined : splitMergedCell(cell, rule, newResponses);
  if (split === undefined)
    return { options: [...unmerged, { text: rule.otherText, count: sumCounts(cell.options) }] };
  const { options, suppression } = split;
  const released = counts.filter((option) => !cell.options.includes(option) || options.includes(option));
  const rest = options.filter((option) => !cell.options.includes(option));
  return { options: [...released, ...rest], ...(suppression && { suppression }) };
}

/**
 * Splits the merged cell. Options that nobody has chosen stay merged, because their absence from the earlier sum would
 * reveal something about the others.
 *
 * @returns undefined: the gain is too small, no option is large, or the parts would reveal small counts
 */
function splitMergedCell(
  { options, gain }: Cell,
  rule: SuppressionRule,
  newResponses: number,
): PublishedCounts | undefined {
  if (gain < 2 * rule.threshold) return undefined;
  // With multiple responses, each option must possibly have had no answer before.
  if (rule.isMultipleResponse && options.some(({ count }) => count > newResponses)) return undefined;
  const hasSmall = options.some(({ count }) => count < rule.threshold);
  const split: PublishedCounts = hasSmall ? mergeSmallCounts(options, rule) : { options };
  const released = split.options.filter((option) => options.includes(option));
  const minCount = Math.min(...released.map(({ count }) => count));
  // The smallest new cell may have gained all answers. If it had 9 even then, it is the option known to be small.
  return released.length === 0 || minCount - gain > rule.threshold - 2 ? undefined : split;
}

/**
 * Merges the cells that gained too few answers, with secondary suppression.
 *
 * @returns undefined: the merged cell would still reveal small gains
 */
function mergeCells(
  cells: readonly Cell[],
  counts: readonly OptionCount[],
  rule: SuppressionRule,
  newResponses: number,
): PublishedCounts | undefined {
  const merged = [
    ...(selectSuppressed(
      cells,
      ({ gain }) => gain,
      ({ isMerged }) => isMerged,
      rule,
      ({ options }) => (rule.maxKnownOptions === undefined ? 0 : options.length - 1),
    ) ?? []),
  ];
  if (merged.length === 0) return undefined;
  const options = merged.flatMap((cell) => cell.options);
  const gain = merged.reduce((sum, cell) => sum + cell.gain, 0);
  // With multiple responses, each cell must possibly have gained nothing: the others can have gained everything.
  const mayHaveGainedNothing = (cell: Cell) => gain <= (options.length - cell.options.length) * newResponses;
  if (rule.isMultipleResponse && !merged.every(mayHaveGainedNothing)) return undefined;
  const small = merged.filter((cell) => isBelowThreshold(cell.gain, rule)).length;
  return {
    options: [
      ...counts.filter((option) => !options.includes(option)),
      { text: rule.otherText, count: sumCounts(options) },
    ],
    suppression: { kind: 'merged', small, others: merged.length - small },
  };
}
