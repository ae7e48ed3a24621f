/**
 * The index of words divides a list into segments, so that a search reads the latest records first. A segment is a range of keys, which
 * overlaps with no other. Its records have numbers, so that the entries of words are short.
 */

import { splitIntoChunks } from '../../platform/split-into-chunks.ts';

export interface Segment {
  /** Even for submissions, odd for sessions: words of both are in one table. */
  segment: number;
  first: string;
  last: string;
  /** Of records. */
  count: number;
  /** Of the next record that is added. */
  nextNumber: number;
  /** Whether the order of the numbers is that of the keys. */
  isSorted: boolean;
  /** No key with a number is greater, if the segment is sorted. */
  lastNumbered: string;
  /** Keys of added records, in the order of their numbers. */
  added: string[];
  /** Numbers of removed records. */
  removed: number[];
  isNew: boolean;
}

/** Records that are added to a segment at most, unless they lie between its records. */
const maxCount = 8_192;

/** A segment with more numbers is written anew, in halves. Less than 65,536. */
export const maxNumbers = 2 * maxCount;

/** @param segments in the order of their keys @returns index of the first one that ends at the key or after it */
function findIndex(segments: readonly Segment[], key: string): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((segments[middle] as Segment).last < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @returns undefined: the key lies between segments */
export function findSegment(segments: readonly Segment[], key: string): Segment | undefined {
  const found = segments[findIndex(segments, key)];
  return found !== undefined && found.first <= key ? found : undefined;
}

/**
 * Extends segments, and adds new ones, so that each key has one.
 *
 * @param keys ascending
 * @param takeNumber returns the number of a new segment
 */
export function placeKeys(segments: Segment[], keys: readonly string[], takeNumber: () => number): void {
  for (let from = 0; from < keys.length; ) {
    const index = findIndex(segments, keys[from] as string);
    const following = segments[index];
    let to = from + 1;
    if (following === undefined || (keys[from] as string) < following.first) {
      while (to < keys.length && (following === undefined || (keys[to] as string) < following.first)) to += 1;
      placeBetween(segments, index, keys.slice(from, to), takeNumber);
    }
    from = to;
  }
}

/** @param index of the segment that follows the keys */
function placeBetween(
  segments: Segment[],
  index: number,
  keys: readonly string[],
  takeNumber: () => number,
): void {
  const neighbours = [segments[index - 1], segments[index]].filter((each) => each !== undefined);
  const [smallest] = neighbours.sort((one, other) => one.count - other.count);
  const isInside = neighbours.length === 2;
  // Many small segments would make searches slow.
  const joins =
    smallest !== undefined &&
    (smallest.count + keys.length <= maxCount || (isInside && keys.length < maxCount / 4));
  if (joins) {
    if ((keys[0] as string) < smallest.first) smallest.first = keys[0] as string;
    if ((keys.at(-1) as string) > smallest.last) smallest.last = keys.at(-1) as string;
    return;
  }
  const added: Segment[] = [];
  for (const part of splitIntoChunks(keys, maxCount))
    added.push(createSegment(takeNumber(), part[0] as string, part.at(-1) as string));
  segments.splice(index, 0, ...added);
}

export const createSegment = (segment: number, first: string, last: string): Segment => ({
  segment,
  first,
  last,
  count: 0,
  nextNumber: 0,
  isSorted: true,
  lastNumbered: '',
  added: [],
  removed: [],
  isNew: true,
});

/** @returns the number of the record in the segment */
export function addToSegment(segment: Segment, key: string): number {
  segment.added.push(key);
  segment.isSorted &&= key > segment.lastNumbered;
  segment.lastNumbered = key;
  segment.count += 1;
  segment.nextNumber += 1;
  return segment.nextNumber - 1;
}
