/** Counts different texts with bounded memory. */

/** Of one counter. Above, the count is a lower bound. */
const maxCounted = 300_000;

/** Of a column with repeated cells, which identifies no rows. */
const maxCountedWithRepetitions = 10_000;

interface DistinctCounter {
  add(text: string): void;
  /** Different texts so far; a lower bound if `isExact()` is false. */
  count(): number;
  isExact(): boolean;
  hasRepetitions(): boolean;
}

export function createDistinctCounter(): DistinctCounter {
  const hashes = createHashSet();
  let isExact = true;
  let hasRepetitions = false;
  return {
    add(text) {
      if (!isExact) return;
      const hash = hashText(text);
      if (hashes.has(hash)) hasRepetitions = true;
      else if (hashes.size() < (hasRepetitions ? maxCountedWithRepetitions : maxCounted)) hashes.add(hash);
      else isExact = false;
    },
    count: () => hashes.size(),
    isExact: () => isExact,
    hasRepetitions: () => hasRepetitions,
  };
}

interface HashSet {
  has(hash: number): boolean;
  add(hash: number): void;
  size(): number;
}

/** Open addressing: a Set of large numbers would take five times the memory. */
function createHashSet(): HashSet {
  let slots = new Float64Array(1_024);
  let size = 0;
  /** The slot of the hash, or the free one where it belongs. 0 is a free slot. */
  const findSlot = (within: Float64Array, hash: number) => {
    let slot = hash % within.length;
    while (within[slot] !== 0 && within[slot] !== hash) slot = (slot + 1) % within.length;
    return slot;
  };
  return {
    has: (hash) => slots[findSlot(slots, hash)] === hash,
    add(hash) {
      if (size * 2 > slots.length) {
        const larger = new Float64Array(slots.length * 2);
        for (const known of slots) if (known !== 0) larger[findSlot(larger, known)] = known;
        slots = larger;
      }
      slots[findSlot(slots, hash)] = hash;
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
