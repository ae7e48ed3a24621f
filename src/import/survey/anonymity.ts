/**
 * Keeps single people out of published counts: the rule of a threshold.
 *
 * In one table: an option that was chosen by some, but by fewer than the threshold, is told together with the
 * others of its kind and with those that nobody chose. Where the sum would still give one away (because it is
 * below the threshold, of one option alone, or so high that all must have the most that is small) the smallest
 * of the rest is folded in with them.
 *
 * Between tables of one survey, published one after the other: what can be computed from two of them is what the
 * answers between them add to a cell of both. So a question is brought up to date only when every cell of the
 * published table (an option, or what is folded) gained nothing or at least the threshold; until then it stays as
 * it is. While a survey goes on a cell may be divided, never united: then the published table, which is all that
 * is remembered, is the finest that was ever shown, and what can be computed from older ones adds up from gains
 * that were checked. At its end nothing can wait: cells that gained too little are united, and from then on the
 * figures stay.
 *
 * Whoever knows this rule as well can exclude what would have been published otherwise. The exact conditions below
 * were found by trying all small tables, alone and in pairs, as `survey-anonymity.test.ts` does.
 *
 * A difference of nothing is told: that none of many new responses chose an option. Not answering is no answer:
 * how many gave none can be computed from the total. In a question of several choices answers are counted, not
 * people. Questions are looked at one by one: where one is the sum of others, they tell about each other.
 */

export interface OptionCount {
  text: string;
  count: number;
}

export interface FoldingRule {
  /** Fewest answers of an option that are told; up to 1: all are. */
  threshold: number;
  /** Text of the option that the small ones are folded into. An option of the survey itself that is called so belongs to it. */
  otherText: string;
}

export interface PublishedCounts {
  /** None where all answers together are fewer than the threshold. */
  options: OptionCount[];
  /** What was done, for a person; undefined: nothing. */
  folding?: Folding;
}

export type Folding =
  /** Options with too few answers, and the others that went with them. */
  | { kind: 'folded'; small: number; others: number }
  /** All answers of the question are too few. */
  | { kind: 'hidden' }
  /** The published counts stay until enough answers are there. */
  | { kind: 'waiting' };

/** Counts that cannot follow on those that are published; the message is part of a sentence. */
export class CountsProblem extends Error {}

/** The counts of one question that is published for the first time, or once. What nobody chose is told where nothing is small. */
export function foldSmall(counts: readonly OptionCount[], rule: FoldingRule): PublishedCounts {
  const { threshold } = rule;
  const anySmall = counts.some(({ count }) => count > 0 && count < threshold);
  return anySmall ? folded(counts, rule) : { options: [...counts] };
}

function folded(counts: readonly OptionCount[], { threshold, otherText }: FoldingRule): PublishedCounts {
  const own = ({ text }: OptionCount) => text === otherText;
  const together = foldedOf(counts, ({ count }) => count, own, threshold);
  const count = sumOf(counts.filter((option) => together.has(option)));
  if (count < threshold) return { options: [], folding: { kind: 'hidden' } };
  const small = counts.filter((option) => option.count > 0 && option.count < threshold).length;
  return {
    options: [...counts.filter((option) => !together.has(option)), { text: otherText, count }],
    folding: { kind: 'folded', small, others: together.size - small },
  };
}

/**
 * What has to be told as one number: all that is small, and what hides it.
 *
 * @param sizeOf answers
 * @param isPinned what belongs to it in any case
 */
function foldedOf<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  isPinned: (item: Item) => boolean,
  threshold: number,
): Set<Item> {
  const together = new Set(items.filter((item) => sizeOf(item) < threshold || isPinned(item)));
  const rest = Map.groupBy(
    items.filter((item) => !together.has(item)),
    sizeOf,
  );
  // Equals go together: which of them was taken would tell something.
  for (const [, equals] of [...rest].sort(([a], [b]) => a - b)) {
    const sum = [...together].reduce((total, item) => total + sizeOf(item), 0);
    if (together.size > 1 && sum >= threshold && sum !== together.size * (threshold - 1)) break;
    for (const next of equals) together.add(next);
  }
  return together;
}

/** What is told as one number. */
interface Cell {
  options: OptionCount[];
  /** Whether it is the one of small options. */
  folded: boolean;
  /** Answers since it was published. */
  gain: number;
}

/** What is known of the answers that arrived since the last publication. */
export interface Arrival {
  /** Responses to the whole survey. */
  more: number;
  /** No more are to come, so nothing can wait for them. */
  final: boolean;
}

/**
 * The counts of one question after those that are published.
 *
 * @param published none: the question had too few answers
 * @throws CountsProblem when answers are gone, or an option is
 */
export function bringForward(
  published: readonly OptionCount[],
  counts: readonly OptionCount[],
  rule: FoldingRule,
  { more, final }: Arrival,
): PublishedCounts {
  if (published.length === 0) {
    // Were nearly all new responses needed for so many answers, the hidden number could be told from it.
    const isTelling = counts.length > 0 && sumOf(counts) - more > rule.threshold - 2;
    return isTelling ? { options: [], folding: { kind: 'hidden' } } : foldSmall(counts, rule);
  }
  const cells = cellsOf(published, counts, rule.otherText);
  const isSmall = ({ gain }: Cell) => gain > 0 && gain < rule.threshold;
  if (!cells.some(isSmall)) return divided(cells, counts, rule);
  const waiting: PublishedCounts = { options: [...published], folding: { kind: 'waiting' } };
  if (!final) return waiting;
  const gainOf = ({ gain }: Cell) => gain;
  const together = [...foldedOf(cells, gainOf, ({ folded }) => folded, rule.threshold)];
  if (together.reduce((sum, cell) => sum + cell.gain, 0) < rule.threshold) return waiting;
  const united = together.flatMap(({ options }) => options);
  const small = together.filter(isSmall).length;
  return {
    options: [
      ...counts.filter((option) => !united.includes(option)),
      { text: rule.otherText, count: sumOf(united) },
    ],
    folding: { kind: 'folded', small, others: together.length - small },
  };
}

/** @throws CountsProblem */
function cellsOf(
  published: readonly OptionCount[],
  counts: readonly OptionCount[],
  otherText: string,
): Cell[] {
  const before = new Map(published.map(({ text, count }) => [text, count]));
  const known = new Set(counts.map(({ text }) => text));
  for (const { text } of published) {
    if (text !== otherText && !known.has(text))
      throw new CountsProblem('an option that is published is not in it any more');
  }
  const folded = before.get(otherText);
  const alone = counts.filter(({ text }) => folded === undefined || (before.has(text) && text !== otherText));
  const cells: Cell[] = alone.map((option) => ({
    options: [option],
    folded: false,
    gain: option.count - (before.get(option.text) ?? 0),
  }));
  if (folded !== undefined) {
    const options = counts.filter((option) => !alone.includes(option));
    cells.push({ options, folded: true, gain: sumOf(options) - folded });
  }
  if (cells.some(({ gain }) => gain < 0))
    throw new CountsProblem('there are fewer answers than are published already');
  return cells;
}

/**
 * All as it is now; of what was folded, each option that has become large stands alone from here on. Options that
 * still nobody chose stay hidden: that they were no part of the sum would tell about the others. What gained
 * little is not divided, as its parts cannot have been much smaller before.
 */
function divided(cells: readonly Cell[], counts: readonly OptionCount[], rule: FoldingRule): PublishedCounts {
  const cell = cells.find((one) => one.folded);
  if (cell === undefined) return { options: [...counts] };
  const before = cell.options;
  const alone = counts.filter((option) => !before.includes(option));
  const undivided = [...alone, { text: rule.otherText, count: sumOf(before) }];
  if (cell.gain < 2 * rule.threshold) return { options: undivided };
  const anyLess = before.some(({ count }) => count < rule.threshold);
  const { options, folding } = anyLess ? folded(before, rule) : { options: before };
  const freed = options.filter((option) => before.includes(option));
  const least = Math.min(...freed.map(({ count }) => count));
  // The threshold was raised since, or the least could have been but one number while it was small.
  if (freed.length === 0 || least > cell.gain + rule.threshold - 2) return { options: undivided };
  const rest = options.filter((option) => !before.includes(option));
  const standing = counts.filter((option) => !before.includes(option) || freed.includes(option));
  return { options: [...standing, ...rest], ...(folding && { folding }) };
}

const sumOf = (counts: readonly OptionCount[]) => counts.reduce((sum, { count }) => sum + count, 0);
