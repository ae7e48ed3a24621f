/**
 * Whether the counts of two questions may come from the same people: one survey has all answers of the other. The difference
 * between such counts reveals the answers of the others.
 */
import { isOtherAnswers } from '../../../domain/organizations/placeholder-words.ts';
import { createSimilarityKey } from './similarity-keys.ts';

export interface ComparedCounts {
  /** By the key of the option, without the combined ones. */
  byOption: ReadonlyMap<string, number>;
  /** Answers to the combined options, which may be any; undefined: none are combined. */
  others: number | undefined;
  /** Of `byOption`, largest first. */
  sorted: readonly number[];
  sum: number;
  /** Whether the options are codes in place of texts, such as `A1`. */
  hasCodes: boolean;
}

const code = /^(?:\p{L}|\p{L}{0,3}\d{1,4})$/u;

export function createComparedCounts(options: readonly { text: string; count: number }[]): ComparedCounts {
  const byOption = new Map<string, number>();
  let others: number | undefined;
  for (const [index, { text, count }] of options.entries()) {
    if (isOtherAnswers(text)) others = (others ?? 0) + count;
    else
      byOption.set(createOptionKey(text, index), (byOption.get(createOptionKey(text, index)) ?? 0) + count);
  }
  const sorted = [...byOption.values()].sort((a, b) => b - a);
  return {
    byOption,
    others,
    sorted,
    sum: sum(options.map(({ count }) => count)),
    hasCodes: byOption.size > 0 && [...byOption.keys()].every((key) => code.test(key)),
  };
}

/** An option of punctuation, such as a smiley, has no key of its own. */
const createOptionKey = (text: string, index: number) => createSimilarityKey(text) || `#${index}`;

export interface CountDifference {
  /** Whether the texts of the options are the same, or codes in one question only. Otherwise only their sizes are compared. */
  options: 'same' | 'coded' | 'other';
  /** No option has fewer answers in the first question. */
  isMore: boolean;
  /** No option has more answers in the first question. */
  isLess: boolean;
  /** The counts are nearly the same: another state of the same answers. */
  isNear: boolean;
  /** Sum of all differences. */
  distance: number;
  /** A difference is so small that it would reveal a count which is not published. */
  isRevealing: boolean;
}

/**
 * @param threshold smallest published count
 * @returns undefined: the questions have different options
 */
export function compareCounts(
  one: ComparedCounts,
  other: ComparedCounts,
  threshold: number,
): CountDifference | undefined {
  if (one.sum === 0 || other.sum === 0) return undefined;
  const byText = subtractByText(one, other);
  const differences = byText ?? subtractBySize(one, other);
  if (differences === undefined) return undefined;
  const options = byText !== undefined ? 'same' : one.hasCodes !== other.hasCodes ? 'coded' : 'other';
  const isMore = differences.every((difference) => difference >= 0);
  const isLess = differences.every((difference) => difference <= 0);
  const distance = sum(differences.map(Math.abs));
  return {
    options,
    isMore,
    isLess,
    distance,
    // Two questions with as many options often have similar sizes.
    isNear: isSmall(distance, one, other, threshold, options !== 'other' && (isMore || isLess)),
    isRevealing: differences.some((difference) => difference !== 0 && Math.abs(difference) < threshold),
  };
}

/** Without their texts, and faster than `compareCounts`. */
export function mayBeNear(one: ComparedCounts, other: ComparedCounts, threshold: number): boolean {
  const isFar = (distance: number) => !isSmall(distance, one, other, threshold, true);
  if (isFar(Math.abs(one.sum - other.sum))) return false;
  // Combined options may be any of the others.
  if (one.others !== undefined || other.others !== undefined) return true;
  let distance = 0;
  return one.sorted.every((count, index) => {
    distance += Math.abs(count - (other.sorted[index] ?? 0));
    return !isFar(distance);
  });
}

function isSmall(
  distance: number,
  one: ComparedCounts,
  other: ComparedCounts,
  threshold: number,
  isOneWay: boolean,
): boolean {
  const smaller = Math.min(one.sum, other.sum);
  return (distance < threshold && distance * 4 <= smaller) || (isOneWay && distance * 10 <= smaller);
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** An option that one question lacks has no answer there, or is one of its combined options. */
function subtractByText(one: ComparedCounts, other: ComparedCounts): number[] | undefined {
  const own = [...one.byOption].filter(([key]) => !other.byOption.has(key)).map(([, count]) => count);
  const foreign = [...other.byOption].filter(([key]) => !one.byOption.has(key)).map(([, count]) => count);
  const hasShared = own.length < one.byOption.size;
  const isCombined = one.byOption.size === 0 || other.byOption.size === 0;
  const isExplained =
    own.length === 0 || foreign.length === 0 || (one.others !== undefined && other.others !== undefined);
  if (!isExplained || !(hasShared || isCombined)) return undefined;
  const shared = [...one.byOption].flatMap(([key, count]) => {
    const same = other.byOption.get(key);
    return same === undefined ? [] : [count - same];
  });
  if (one.others === undefined && other.others === undefined)
    return [...shared, ...own, ...foreign.map((count) => -count)];
  return [...shared, sum(own) + (one.others ?? 0) - sum(foreign) - (other.others ?? 0)];
}

/** Codes and texts of the same options have the same sizes. Combined options are the smallest ones. */
function subtractBySize(one: ComparedCounts, other: ComparedCounts): number[] | undefined {
  const size = Math.min(one.sorted.length, other.sorted.length);
  const isExplained = [one, other].every(
    ({ sorted, others }) =>
      sorted.length === Math.max(one.sorted.length, other.sorted.length) || others !== undefined,
  );
  if (size === 0 || !isExplained) return undefined;
  const sumRest = ({ sorted, others = 0 }: ComparedCounts) => sum(sorted.slice(size)) + others;
  const differences = one.sorted
    .slice(0, size)
    .map((count, index) => count - (other.sorted[index] as number));
  return [...differences, sumRest(one) - sumRest(other)];
}
