/** Counts different texts with bounded memory, and locates the first repeated ones. */
import type { SourceLocation } from '../../../records/parsed-record.ts';

/** Of one counter. Above, the count is a lower bound. */
const maxCounted = 300_000;

/** Of a column with more repeated cells than mistakes explain, which identifies no rows. */
const maxCountedWithRepetitions = 10_000;
export const maxRepeatedShare = 0.01;

/** Of a counter. */
const maxRepetitions = 3;

/** A text with the positions where it occurs first and for the second time. */
export interface Repetition {
  text: string;
  first: SourceLocation;
  again: SourceLocation;
}

interface DistinctCounter {
  /** @param location of a text whose repetitions are listed */
  add(text: string, location?: SourceLocation): void;
  /** Different texts so far; a lower bound if `isExact()` is false. */
  count(): number;
  isExact(): boolean;
  /** Texts that are equal to an earlier one; a lower bound if `isExact()` is false. */
  repeated(): number;
  /** The first ones. */
  repetitions(): Repetition[];
}

export function createDistinctCounter(): DistinctCounter {
  const hashes = createHashMap();
  const positions = createPositions();
  const repetitions: Repetition[] = [];
  let isExact = true;
  let repeated = 0;
  return {
    add(text, location) {
      if (!isExact) return;
      const hash = hashText(text);
      const known = hashes.get(hash);
      if (known !== undefined) {
        repeated += 1;
        if (location !== undefined && repetitions.length < maxRepetitions)
          repetitions.push({ text, first: positions.toLocation(known), again: location });
      } else if (
        hashes.size() < (repeated > hashes.size() * maxRepeatedShare ? maxCountedWithRepetitions : maxCounted)
      )
        hashes.set(hash, location === undefined ? 0 : positions.toNumber(location));
      else isExact = false;
    },
    count: () => hashes.size(),
    isExact: () => isExact,
    repeated: () => repeated,
    repetitions: () => repetitions,
  };
}

/** Positions as numbers, which take less memory than objects. */
function createPositions() {
  const sources: SourceLocation[] = [];
  return {
    toNumber(location: SourceLocation): number {
      const last = sources.at(-1);
      if (last?.source !== location.source || last.sheet !== location.sheet) sources.push(location);
      return (sources.length - 1) * 2 ** 32 + (location.line ?? location.entry ?? 0);
    },
    toLocation(position: number): SourceLocation {
      const source = sources[Math.floor(position / 2 ** 32)] as SourceLocation;
      const number = position % 2 ** 32;
      return { ...source, ...(source.line === undefined ? { entry: number } : { line: number }) };
    },
  };
}

interface HashMap {
  get(hash: number): number | undefined;
  set(hash: number, value: number): void;
  size(): number;
}

/** Open addressing: a Map of large numbers would take several times the memory. */
function createHashMap(): HashMap {
  let slots = new Float64Array(1_024);
  let values = new Float64Array(1_024);
  let size = 0;
  /** The slot of the hash, or the free one where it belongs. 0 is a free slot. */
  const findSlot = (within: Float64Array, hash: number) => {
    let slot = hash % within.length;
    while (within[slot] !== 0 && within[slot] !== hash) slot = (slot + 1) % within.length;
    return slot;
  };
  return {
    get(hash) {
      const slot = findSlot(slots, hash);
      return slots[slot] === hash ? values[slot] : undefined;
    },
    set(hash, value) {
      if (size * 2 > slots.length) {
        const larger = new Float64Array(slots.length * 2);
        const largerValues = new Float64Array(slots.length * 2);
        for (const [slot, known] of slots.entries()) {
          if (known === 0) continue;
          const free = findSlot(larger, known);
          larger[free] = known;
          largerValues[free] = values[slot] as number;
        }
        slots = larger;
        values = largerValues;
      }
      const slot = findSlot(slots, hash);
      slots[slot] = hash;
      values[slot] = value;
      size += 1;
    },
    size: () => size,
  };
}

/** 53 bits of two FNV-like hashes: of 300,000 texts, two are equal by chance with a probability of 0.0005 %. */
function hashText(text: string): number {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 2_654_435_761);
    second = Math.imul(second ^ code, 1_597_334_677);
  }
  first =
    Math.imul(first ^ (first >>> 16), 2_246_822_507) ^ Math.imul(second ^ (second >>> 13), 3_266_489_909);
  second =
    Math.imul(second ^ (second >>> 16), 2_246_822_507) ^ Math.imul(first ^ (first >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & second) + (first >>> 0) || 1;
}
