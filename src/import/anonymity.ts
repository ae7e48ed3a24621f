/**
 * Keeps single people out of published counts: the rule of a threshold.
 *
 * In one table: an option that was chosen by some, but by fewer than the threshold, is told together with the
 * others of its kind and with those that nobody chose. Where the sum would still give one away (because it is
 * below the threshold, of one option alone, or so high that all must have the most that is small) the smallest
 * of the rest is folded in with them.
 *
 * Between tables of one survey, published one after the other: what can be computed from two of them is what the
 * answers between them add to a cell that both know. So a question is brought up to date only when every cell of
 * the published table (an option, or what is folded) gained nothing or at least the threshold; until then it
 * stays as it is. From then on a cell may be divided, never united: then the published table alone, which is all
 * that is remembered, tells the coarsest that was ever shown, and older tables give nothing that it does not give.
 * The end of a survey is the exception: there, cells that gained too little are united for good, and the figures
 * stay.
 *
 * Not answering is no answer: how many gave none can be computed from the total.
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

/** The counts of one question that is published for the first time, or once. */
export function foldSmall(counts: readonly OptionCount[], rule: FoldingRule): PublishedCounts {
  const { threshold, otherText } = rule;
  const small = counts.filter(({ count }) => count > 0 && count < threshold);
  if (small.length === 0) return { options: [...counts] };
  const together = new Set(counts.filter(({ text, count }) => count < threshold || text === otherText));
  const sum = (options: Iterable<OptionCount>) => sumOf([...options].map(({ count }) => count));
  const rest = counts.filter((option) => !together.has(option));
  // Equals go together: which of them was taken would tell something.
  for (const [, equals] of byCount(rest)) {
    if (givesNothingAway(together.size, sum(together), threshold)) break;
    for (const next of equals) together.add(next);
  }
  const count = sum(together);
  if (count < threshold) return { options: [], folding: { kind: 'hidden' } };
  return {
    options: [...counts.filter((option) => !together.has(option)), { text: otherText, count }],
    folding: { kind: 'folded', small: small.length, others: together.size - small.length },
  };
}

const byCount = (options: readonly OptionCount[]) =>
  [...Map.groupBy(options, ({ count }) => count)].sort(([a], [b]) => a - b);

/** Whether a sum of small counts leaves open what each of them is. */
function givesNothingAway(cells: number, sum: number, threshold: number): boolean {
  return cells > 1 && sum >= threshold && sum !== cells * (threshold - 1);
}

/** What is told as one number. */
interface Cell {
  options: OptionCount[];
  /** Whether it is the one of small options. */
  folded: boolean;
  /** Answers since it was published. */
  gain: number;
}

/**
 * The counts of one question after those that are published.
 *
 * @param published none: the question was never told
 * @param final no answers are to come, so nothing can wait for more
 * @throws CountsProblem when answers are gone, or an option is
 */
export function bringForward(
  published: readonly OptionCount[],
  counts: readonly OptionCount[],
  rule: FoldingRule,
  final: boolean,
): PublishedCounts {
  if (published.length === 0) return foldSmall(counts, rule);
  const cells = cellsOf(published, counts, rule.otherText);
  const settled = ({ gain }: Cell) => gain === 0 || gain >= rule.threshold;
  if (cells.every(settled)) return divided(cells, counts, rule);
  if (!final) return { options: [...published], folding: { kind: 'waiting' } };
  const together = new Set(cells.filter((cell) => cell.folded || !settled(cell)));
  const rest = cells.filter((cell) => !together.has(cell) && cell.gain > 0).sort((a, b) => a.gain - b.gain);
  const gain = () => sumOf([...together].map((cell) => cell.gain));
  for (const next of rest) {
    if (givesNothingAway(together.size, gain(), rule.threshold)) break;
    together.add(next);
  }
  if (gain() < rule.threshold) return { options: [...published], folding: { kind: 'waiting' } };
  const united = [...together].flatMap(({ options }) => options);
  const small = [...together].filter((cell) => !settled(cell)).length;
  return {
    options: [
      ...counts.filter((option) => !united.includes(option)),
      { text: rule.otherText, count: sumOf(united.map(({ count }) => count)) },
    ],
    folding: { kind: 'folded', small, others: together.size - small },
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
    cells.push({ options, folded: true, gain: sumOf(options.map(({ count }) => count)) - folded });
  }
  if (cells.some(({ gain }) => gain < 0))
    throw new CountsProblem('there are fewer answers than are published already');
  return cells;
}

/** All as it is now; of what was folded, each option that has become large stands alone from here on. */
function divided(cells: readonly Cell[], counts: readonly OptionCount[], rule: FoldingRule): PublishedCounts {
  const before = cells.find(({ folded }) => folded)?.options ?? [];
  const { options, folding } = foldSmall(before, rule);
  const standing = counts.filter((option) => !before.includes(option) || options.includes(option));
  const folded = options.filter((option) => !before.includes(option));
  // A threshold that was raised since hides even the sum: what was told together stays so.
  if (folding?.kind === 'hidden') {
    folded.push({ text: rule.otherText, count: sumOf(before.map(({ count }) => count)) });
  }
  return { options: [...standing, ...folded], ...(folding?.kind === 'folded' && { folding }) };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, next) => sum + next, 0);
